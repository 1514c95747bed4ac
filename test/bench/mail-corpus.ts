import PostalMime from "postal-mime";
import { mailCorpus } from "../servers/mail-corpus.ts";

/** One made-up message: the same number gives the same message in every run. */
interface MadeMail {
  number: number;
  name: string;
  address: string;
  to: { name?: string; address: string }[];
  cc: { name?: string; address: string }[];
  subject: string;
  body: string;
  date: Date;
  hasAttachment: boolean;
}

const words = 40_000;
const senders = 4_000;
const first = Date.UTC(2018, 0, 1);
const spacingMs = 40 * 60_000;
const syllables =
  "ba be bi bo da de di do fa fe ga ge ka ke ki la le li lo ma me mi mo na ne ni no pa pe ra re ri ro sa se si so ta te ti to va ve".split(
    " ",
  );
const han = Array.from(
  "会议东京都庁明天下午项目报告合同客户发票付款确认请查收附件谢谢您好我们的时间地点北京上海公司产品开发测试上线计划安排参加",
);
const kana = Array.from("ありがとうございますおねがいしますかいぎのしりょうをそうふいたします");

/** Numbers that look random and are the same in every run (Numerical Recipes' generator). */
function dice(seed: number): (sides: number) => number {
  let state = seed >>> 0;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const word = (at: number): string => {
  let rest = at;
  let text = "";
  do {
    text += syllables[rest % syllables.length];
    rest = Math.floor(rest / syllables.length);
  } while (rest > 0);
  return text;
};

/** Zipf's law, near enough: the first words are in most messages, the last in a handful. */
const anyWord = (roll: (sides: number) => number): string =>
  word(Math.floor(words ** (roll(1_000_000) / 1_000_000)));

function senderOf(at: number): { name: string; address: string } {
  return { name: `Person${at} ${word(at + 7)}`, address: `person${at}@host${at % 300}.example` };
}

/** Returns the lengths of the corpus texts. Without a corpus, these are the lengths that were once measured. */
export async function realLengths(): Promise<number[]> {
  if (mailCorpus === undefined) return [60, 150, 300, 600, 900, 1_400, 2_000, 3_500, 6_000, 20_000];
  const lengths: number[] = [];
  for (const file of mailCorpus.files) {
    const mail = await PostalMime.parse(mailCorpus.read(file)).catch(() => undefined);
    const length = (mail?.text ?? mail?.html?.replace(/<[^>]*>/g, "") ?? "").length;
    // Three files of a megabyte would make up most of the whole.
    if (length > 0 && length < 100_000) lengths.push(length);
  }
  return lengths;
}

export function madeMail(number: number, lengths: readonly number[]): MadeMail {
  const roll = dice(number * 2_654_435_761);
  roll(2);
  const length = lengths[roll(lengths.length)] ?? 1_000;
  const isUnspaced = number % 20 === 0;
  const pieces: string[] = [];
  let size = 0;
  while (size < length) {
    const piece = isUnspaced ? unspacedRun(roll) : anyWord(roll);
    pieces.push(piece);
    size += piece.length + 1;
  }
  // The words of the searches, which occur as often as their names say.
  if (number % 5 < 3) pieces.push("meeting");
  if (number % 10_000 === 17) pieces.push("zebrafinch");
  if (number % 5_000 === 3) pieces.push("quarterly earnings statement");
  if (number % 400 === 0) pieces.push("东京都庁");
  const at = number % 5_000 === 11 ? senders : Math.floor(senders ** (roll(1_000_000) / 1_000_000));
  return {
    number,
    ...senderOf(at),
    ...recipientsOf(number),
    subject: Array.from({ length: 3 + roll(6) }, () => anyWord(roll)).join(" "),
    body: pieces.join(" "),
    date: new Date(first + number * spacingMs),
    hasAttachment: number % 9 === 0,
  };
}

/** Returns the recipients: the owner of the mailbox, and some others for every third message. */
function recipientsOf(number: number): Pick<MadeMail, "to" | "cc"> {
  const roll = dice(number * 2_246_822_519);
  roll(2);
  const others = Array.from({ length: number % 3 === 0 ? 1 + roll(6) : 0 }, () =>
    senderOf(Math.floor(senders ** (roll(1_000_000) / 1_000_000))),
  );
  return { to: [{ address: "me@in.example" }, ...others.slice(0, 2)], cc: others.slice(2) };
}

function unspacedRun(roll: (sides: number) => number): string {
  const letters = roll(2) === 0 ? han : kana;
  return Array.from({ length: 4 + roll(20) }, () => letters[roll(letters.length)]).join("");
}

/** The searched words, which `madeMail` has put into the messages. */
export const sought = {
  rare: "zebrafinch",
  common: "meeting",
  phrase: '"quarterly earnings statement"',
  chinese: "都庁",
  rareSender: senderOf(senders).address,
  frequentSender: senderOf(1).address,
};
