/** The fields of a forwarded message's head. `other` is part of the head and is not shown. */
export type ForwardField = "from" | "date" | "subject" | "to" | "cc" | "other";

/**
 * The labels in the head of a forwarded message, in English, German, French, Spanish, Portuguese, Italian, Dutch,
 * Polish, Swedish, Danish, Norwegian, Japanese and Chinese. Gmail mixes two languages in one head, so all labels are in
 * one list.
 */
const labels: Readonly<Record<ForwardField, string>> = {
  from: "From|Von|Absender|De|Expéditeur|Remitente|Remetente|差出人|送信者|送信元|发件人|寄件者|寄件人|Da|Mittente|Van|Afzender|Od|Nadawca|Från|Avsändare|Fra",
  date: "Date|Sent|Datum|Gesendet|Gesendet am|Envoyé|Envoyé le|Fecha|Enviado|Enviado el|Enviado em|Enviada|Enviada em|Enviada el|Data|日付|日時|送信日時|送信日|日期|发送时间|发送日期|发件时间|寄件日期|傳送時間|時間|时间|Data invio|Inviato|Verzonden|Wysłano|Skickat|Skickad|Sendt|Dato",
  subject:
    "Subject|Betreff|Objet|Sujet|Asunto|Assunto|件名|主题|主題|主旨|标题|Oggetto|Onderwerp|Temat|Ämne|Emne",
  to: "To|An|Empfänger|À|A|Pour|Para|宛先|送信先|收件人|收件者|Aan|Do|Till|Til",
  cc: "Cc|Kopie|Kopie \\(CC\\)|Copie|Copie à|Copia|CC\\(写\\)|抄送|副本|DW|Kopia|Kopi",
  other:
    "Bcc|Reply-To|Reply To|Antwort an|Répondre à|Responder a|Responder para|返信先|答复|回复至|Organization|Importance|Wichtigkeit|Priorité|Importancia|Prioridade|Attachments|Anlagen|Pièces jointes|Datos adjuntos|Anexos|添付ファイル|附件|Resent-From|Newsgroups|Message-ID|Rispondi a|Priorità|Allegati|Antwoord aan|Prioriteit|Urgentie|Bijlagen|Odpowiedź do|Ważność|Załączniki|Svar till|Bilagor|Svar til|Vedlegg|Vedhæftede filer",
};

const fieldOfLabel = new Map<string, ForwardField>(
  Object.entries(labels).flatMap(([field, words]) =>
    // `Object.entries` loses the type of the keys.
    words
      .replaceAll("\\", "")
      .split("|")
      .map((word): [string, ForwardField] => [word.toLowerCase(), field as ForwardField]),
  ),
);

const label = Object.values(labels).join("|");

/** `From:`, `De :`, `*Von:*`, `差出人：`, and the cells of Thunderbird's table, `Betreff: | ...`. */
const labelled = new RegExp(
  `^\\*{0,2}(${label})\\*{0,2}\\s?[:：]\\*{0,2}(?:\\s*\\|)?\\s*(.*)$`,
  "iu",
);

/** Parses one line of a head. Returns undefined for any other line. */
export function headLine(line: string): { field: ForwardField; value: string } | undefined {
  // Runs on every line of every message, so a cheap check comes first.
  if (!/[:：]/.test(line.slice(0, 40))) return undefined;
  const match = labelled.exec(line);
  const field = fieldOfLabel.get(match?.[1]?.toLowerCase() ?? "");
  return field === undefined ? undefined : { field, value: (match?.[2] ?? "").trim() };
}

/** Splits a head that Yahoo wrote on one line: before each label outside the subject. */
export function partedHead(line: string): string[] {
  const subject = new RegExp(`(?:${labels.subject})\\s?[:：]\\s.*$`, "u").exec(line)?.[0] ?? "";
  const before = subject === "" ? line : line.slice(0, -subject.length);
  const names = `${labels.from}|${labels.to}|${labels.cc}|CC|${labels.date}`;
  const parted = before.replace(new RegExp(`(?<!\\p{Ll})(?:${names})\\s?[:：]\\s`, "gu"), "\n$&");
  return [...parted.split("\n"), subject].map((part) => part.trim()).filter((part) => part !== "");
}

/** Between dashes: Gmail, Thunderbird, Yahoo, Proton and their successors. These appear only before a forward. */
const forwarded =
  "forwarded message|weitergeleitete nachricht|message transféré|message transmis|message réexpédié|mensaje reenviado|mensagem encaminhada|mensagem reencaminhada|転送されたメッセージ|転送メッセージ|メッセージを転送|转发的消息|转发的邮件|转发邮件|轉寄郵件|轉寄的郵件|轉寄訊息|已转发邮件|已轉寄的訊息|messaggio inoltrato|doorgestuurd bericht|wiadomość przekazana|treść przekazanej wiadomości|vidarebefordrat meddelande|vidarebefordrat mail|videresendt meddelelse|videresendt besked|videresendt melding";

/** Between dashes: Outlook's text form and Fastmail, in forwards and in replies. */
const original =
  "original message|original appointment|ursprüngliche nachricht|original-nachricht|originalnachricht|message d'origine|message d’origine|message original|mensaje original|mensagem original|元のメッセージ|元のメール|原始邮件|原始郵件|邮件原件|原邮件|原始訊息|messaggio originale|oorspronkelijk bericht|wiadomość oryginalna|oryginalna wiadomość|ursprungligt meddelande|oprindelig meddelelse|opprinnelig melding";

/** On a line of its own with a colon: Apple Mail. */
const begins =
  "begin forwarded message|forwarded message|anfang der weitergeleiteten nachricht|anfang der weitergeleiteten e-mail|début du message réexpédié|début du message transféré|inicio del mensaje reenviado|início da mensagem reencaminhada|início da mensagem encaminhada|転送されたメッセージ|開始轉寄郵件|开始转发的邮件|开始转发邮件|下面是被转发的邮件|以下是转发的邮件|以下是轉寄的郵件|inizio messaggio inoltrato|begin doorgestuurd bericht|początek przekazanej wiadomości|rozpoczęcie przekazywanej wiadomości|vidarebefordrat brev|början på det vidarebefordrade brevet|start på videresendt meddelelse|start på videresendt besked|videresendt melding";

const dashes = "[-_=–—*]{3,}";
/** The author, whom Mutt and others name there. */
const whose = "(?:\\s+(?:from|by|von|de)\\s[^\\n]{1,200}?)?";
const forwardedLine = new RegExp(`^${dashes}\\s*(?:${forwarded})${whose}\\s*${dashes}(.*)$`, "iu");
const originalLine = new RegExp(`^${dashes}\\s*(?:${original})\\s*${dashes}(.*)$`, "iu");
const beginsLine = new RegExp(`^(?:${begins})\\s?[:：]$`, "iu");

/**
 * Returns the meaning of an announcing line. Replies use `original` as well. `rest` is the text after it on the same
 * line, which Yahoo writes.
 */
export function announced(
  line: string,
): { kind: "forwarded" | "original"; rest: string } | undefined {
  if (!/^[-_=–—*]{3}|[:：]$/u.test(line)) return undefined;
  const quoted = originalLine.exec(line);
  if (quoted !== null) return { kind: "original", rest: (quoted[1] ?? "").trim() };
  if (beginsLine.test(line)) return { kind: "forwarded", rest: "" };
  const match = forwardedLine.exec(line);
  return match === null ? undefined : { kind: "forwarded", rest: (match[1] ?? "").trim() };
}

/** The line above an attached message's text. */
export const attachedMark = "---------- Attached message ----------";

/** The prefixes of the subjects of forwards and of replies. */
const forwardPrefix =
  /^(?:fwd?|wg|tr|rv|enc|i|inoltro|doorst|pd|vb|vs|videresend|転送|转发|轉寄|轉發)\s?(?:\[\d+\])?\s?[:：]\s*/iu;
const replyPrefix =
  /^(?:re|r|aw|antw?|sv|odp|rép|res|返信|回复|答复|回覆)\s?(?:\[\d+\])?\s?[:：]/iu;

export function isForwardSubject(subject: string): boolean {
  return forwardPrefix.test(subject);
}

export function isReplySubject(subject: string): boolean {
  return replyPrefix.test(subject);
}

export function withoutForwardPrefix(subject: string): string {
  return subject.replace(forwardPrefix, "");
}
