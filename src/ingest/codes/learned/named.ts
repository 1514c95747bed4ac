import { Beginnings } from "../beginnings.ts";
import type { TextRange } from "../text-ranges.ts";
import { isSentence } from "../function-words.ts";
import { withRanges } from "../letters.ts";

/** Names of secrets. Only a whole alternative is separated by a bar, because each one has its own beginning. */
const spacedNames = [
  "password|passcode|passwort|passphrase|passe|kennwort|pins?|codes?|codice|codici|códigos?|codigos?|clave|llave|chave",
  "senha|contraseña|contrasena|mdp|pw|parola|chiave|woord|sleutel|schlüssel|key|clé|cle|secret|token|pwd|phrase|frase|zin",
  "words?|wörter|mots?|palabras?|palavras?|woorden|letters|kod|kodu|kodem|kody|koden|koder|kodunuz|kodumuz|kodlar",
  String.raw`hasł\p{L}{1,3}|geheimwort|codewort|losungswort|zauberwort|klucz\p{L}{0,2}|lösenord\p{L}{0,2}|nyckel\p{L}?`,
  String.raw`şifre\p{L}{0,4}|parola\p{L}{1,4}|anahtar\p{L}{0,4}|парол\p{L}{1,3}|код\p{L}{0,2}|ключ\p{L}{0,2}|пин`,
].join("|");
const unspacedNames = "비밀번호|كلمة المرور|パスワード|コード|キー|密码|密碼|码|碼|口令";
/** The name of a secret. A value after or below it may have any form. */
const secretName = withRanges(String.raw`(?:${spacedNames})(?!\p{L})|${unspacedNames}`, "y");
const beginnings = new Beginnings(secretName, `${spacedNames}|${unspacedNames}`.split("|"));
/**
 * A colon after the name, and one value or a few words up to the end of the line. The colon of a time does not count.
 */
const behindName = withRanges(
  String.raw`^(?:[^\n:：.!?。！？]|(?<=\d)[:.](?=\d)){0,40}(?:[:：](?!(?<=(?<!\d)\d{1,2}[:：])\d\d(?![A-Za-z\d]))|は|为|為|是|\t)[ \t]{0,3}["'“„«「『*]?((?:[\p{L}\d][\p{L}\d_+-]{1,20}(?: [\p{L}\d_+-]{2,20}){1,3}(?=["'”“»*」』]?[ \t]*(?:\n|$)))|[^\s"'“”„«»「」『』*<>[\]|()，。、；]{3,64}(?<![.,;:?]))`,
);
/** A few words or groups in a paragraph of their own, below a name whose sentence has no end. */
const belowName = withRanges(
  String.raw`^[^\n.!?。！？]{0,120}\n[ \t]*(?:\n[ \t]*)?(?:> )?["'“„«*]?([\p{L}\d][\p{L}\d_+-]{1,20}(?: [\p{L}\d_+-]{2,20}){0,5})(?=["'”“»*]?[ \t]*(?:\n[ \t]*(?:\n|$)|$))`,
);
/** A value with letters and digits directly after the name of a secret, or after a verb that follows the name. */
const besideName = withRanges(
  String.raw`^(?:[는은]|[^\n:：.!?]{0,40}[ \t](?:is|to|ist|lautet|auf|est|es|é|è|luidt|naar|jest|på|är|هي)(?: (?:now|jetzt|nun|nu|ora|ahora|agora))?)?[ \t]{1,2}["'“„«*]?((?=\S{0,24}\d)(?=\S{0,24}\p{L})[^\s"'”»,;:/]{5,24}(?<![.?]))`,
);
/** The same before the name of a secret. */
const beforeName = withRanges(
  String.raw`(?<![\p{L}\d_/@.-])((?=\S{0,24}\d)(?=\S{0,24}\p{L})[^\s"'“”„«»,;:/()]{5,24})["'”»*]? (?:is|as|ist|als|est|comme|es|como|é|è|come|to|jest|är)(?: \p{L}{1,12}){0,4} \p{L}{0,12}$`,
);
/** Characters before a name that are read. */
const leadCharacters = 90;
const cjk = withRanges(String.raw`[\p{Cjk}]`);
/** Characters after a name that are read. */
const namedCharacters = 220;
/** Limit on names of secrets that are read, to bound the time. */
const mostNames = 200;

interface Named extends TextRange {
  kind: "named" | "phrase";
}

/** Finds values of any form after or below the name of a secret. */
export function namedIn(text: string): Named[] {
  const found: Named[] = [];
  for (const { start: name, end } of beginnings.placesOf(text).slice(0, mostNames)) {
    const before = beforeName.exec(text.slice(Math.max(0, name - leadCharacters), name));
    if (before !== null) {
      const start = Math.max(0, name - leadCharacters) + before.index;
      found.push({ start, end: start + (before[1] ?? "").length, kind: "named" });
    }
    const behind = text.slice(end, end + namedCharacters);
    for (const [pattern, kind] of [
      [behindName, "named"],
      [belowName, "phrase"],
      [besideName, "named"],
    ] as const) {
      const match = pattern.exec(behind);
      const value = match?.[1];
      if (match === null || value === undefined) continue;
      // `Password: at least 12 characters`.
      if (
        isInSmallLetters(value) &&
        !/^["'”“»*」』]?[ \t]*(?:\n|$)/u.test(behind.slice(match[0].length))
      )
        continue;
      // `The code: how to protect yourself`.
      if (value.includes(" ") && !/\d/.test(value) && isSentence(value.toLowerCase().split(" ")))
        continue;
      // Japanese and Chinese write a sentence after the name of a secret in the same way.
      if (!value.includes(" ") && cjk.test(value) && !/[A-Za-z\d]/.test(value)) continue;
      const start = end + match[0].length - value.length;
      found.push({ start, end: start + value.length, kind: value.includes(" ") ? "phrase" : kind });
    }
  }
  return found;
}

/** Returns whether a word is in lower case. */
const isInSmallLetters = (word: string): boolean => /^\p{Ll}+$/u.test(word);
