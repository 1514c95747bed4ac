/** Words of lists of recovery keys, and units, in lower case. One list has the words of all languages. */

import { withRanges } from "./letters.ts";

const anyOf = (...parts: readonly string[]): RegExp => new RegExp(parts.join("|"), "gu");

/** A part of every name of a recovery key. */
export const recoveryStems =
  "recover|backup|back-up|emergency|restore|rescue|scratch|seed|secret|mnemonic|encryption|security key|wiederherst|ersatz|notfall|sicherung|reserve|récup|secours|sauveg|restaur|recuper|respaldo|reserva|emergencia|seguran|回復|リカバリ|バックアップ|復元|復旧|予備|恢复|恢復|备用|備用|备份|備份|復原|复原|助记|ripristin|riserva|emergenza|herstel|nood";

/** Names of keys that restore an account. */
export const recoveryNouns = anyOf(
  String.raw`\b(?:recovery|backup|back-up|emergency|restore|rescue|scratch)[\s-](?:codes?|passcodes?|tokens?|pins?|keys?|phrase|words|kit|passphrase)\b|\bseed[\s-]?(?:phrase|words)\b|\bsecret[\s-](?:key|phrase|recovery phrase)\b|\bmnemonic\b|\bencryption key\b|\bsecurity key\b`,
  String.raw`\b(?:wiederherstellungs|backup-?|ersatz|notfall|sicherungs|reserve-?)(?:codes?|schlüssels?|phrase|wörter)\b`,
  String.raw`\b(?:codes?|cl[ée]s?|phrase)\s+(?:de\s+)?(?:récupération|secours|sauvegarde|restauration)\b`,
  String.raw`\b(?:c[óo]digos?|claves?|chaves?|frase)\s+(?:de\s+)?(?:recuperaci[óo]n|respaldo|reserva|emergencia|recupera[çc][ãa]o|backup|seguran[çc]a|c[óo]pia de seguran[çc]a)\b`,
  String.raw`\b(?:codic[ei]|chiav[ei]|frase)\s+di\s+(?:recupero|ripristino|riserva|backup|emergenza)\b|\b(?:herstel|back-?up-?|nood|reserve)(?:codes?|sleutels?|zin|woorden)\b`,
  "(?:回復|リカバリー?|バックアップ|復元|復旧|予備)(?:用)?(?:コード|キー|フレーズ)|(?:恢复|恢復|备用|備用|备份|備份|復原|复原|助记)(?:代码|代碼|密钥|金鑰|密鑰|码|碼|词|詞|短语|驗證碼|验证码)",
);

/** Units after a number. */
export const units = withRanges(
  String.raw`^ ?(?:€|\$|£|¥|%|‰|°|eur|usd|gbp|chf|brl|jpy|cny|円|元|ドル|ユーロ|欧元|k?m²|ポイント|积分|點|people|年|月|日|分|秒|時|号室|番地|ave|(?:kr|km|kg|g|[kmg]b|kwh|points?|punkte|pts|puntos|pontos|users?|(?:work(?:ing)?\s+)?(?:days?|hours?|minutes?|seconds?|years?|months?|weeks?)|tage?n?|stunden?|minuten?|jahre?n?|street|st)(?!\p{L}))`,
);
