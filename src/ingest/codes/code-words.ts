/**
 * The vocabulary of sign-in mails in English, German, French, Spanish, Portuguese, Japanese and Chinese. One list holds
 * all languages, because many mails mix their own language with English.
 */

const anyOf = (...parts: readonly string[]): RegExp => new RegExp(parts.join("|"), "giu");

/** A part of every name of a code. */
export const codeStems =
  /code|pin|otp|tan|2fa|pass|token|number|kennwort|schlüssel|c[óo]digo|contrase|clave|senha|コード|番号|パス|キー|ピン|トークン|码|碼|密|口令|代/gi;
/** A part of every name of a recovery key. */
export const recoveryStems =
  /recover|backup|back-up|emergency|restore|rescue|scratch|seed|secret|mnemonic|encryption|security key|wiederherst|ersatz|notfall|sicherung|reserve|récup|secours|sauveg|restaur|recuper|respaldo|reserva|emergencia|seguran|回復|リカバリ|バックアップ|復元|復旧|予備|恢复|恢復|备用|備用|备份|備份|復原|复原|助记|ripristin|riserva|emergenza|herstel|nood/gi;
/** A part of every name of a sent password. */
export const passwordStems =
  /password|passwort|kennwort|mot de passe|mdp|contrase|clave|senha|palavra-passe|wachtwoord|hasło|パスワード|密码|密碼|口令/gi;
/** Every name of a password. */
export const passwordNames =
  /(?<!\p{L})(?:password|passwort|kennwort|mot de passe|mdp|contrase[ñn]a|clave|senha|palavra-passe|wachtwoord|hasło)(?!\p{L})|パスワード|密码|密碼/giu;

/** Names of codes that exist only to sign in or to prove an identity. */
export const strongNouns = anyOf(
  String.raw`\b(?:verification|security|log[\s-]?in|sign[\s-]?(?:in|up|on)|authenticat(?:ion|or)|one[\s-]?time|single[\s-]use|otp|2fa|mfa|(?:two|2)[\s-]?(?:factor|step)(?:\s+(?:authentication|verification|login|sign-in))?|(?:password[\s-])?reset|recovery|validation|identity|magic|temporary|passwordless|sms)\s+(?:sign[\s-]?in\s+|log[\s-]?in\s+|access\s+|verification\s+|security\s+|authentication\s+)?(?:codes?|pin|passcode|password|token)\b|\b(?:verification|authentication|one[\s-]?time)\s+number\b`,
  String.raw`\b(?:code|pin|passcode|password)\s+(?:(?:below|above|here)\s+)?(?:to|for)\s+(?:(?:your|the|a|new|complete|finish|continue|securely|in|on|please)\s+){0,3}(?:sign|log|verif|authenticat|reset|recover|confirm(?:ing)?\s+(?:your\s+)?(?:e-?mail|account|identity|device|phone|it)|verification|access(?:ing)?\s+your\s+account)`,
  String.raw`\b(?:one[\s-]?time|single[\s-]use)\s+(?:pass(?:code|word)?|code|pin)|\b(?:OTP|m?TAN|2FA)\b`,
  String.raw`\b(?:verifizierungs|verifikations|bestätigungs|sicherheits|anmelde|login|einmal|authentifizierungs|authentisierungs|wiederherstellungs|zurücksetzungs|überprüfungs|prüf|legitimations|registrierungs|sms|2fa|otp|einmalzugangs)[\s-]?(?:codes?|pin|passworts?|kennworts?|passcodes?|tan)\b`,
  String.raw`\b(?:code|pin)\s+(?:zur|zum|für\s+(?:die|den|deine[nr]?|ihre[nr]?))\s+(?:anmeld|einlogg|login|verifizier|bestätig|zurücksetz|registrier|authentifizier|zwei-faktor)`,
  String.raw`\bcodes?\s+(?:secret\s+|unique\s+)?(?:de\s+|d['’]|pour\s+(?:la\s+|votre\s+|vous\s+)?)(?:vérif|verification|sécurité|securite|connexion|connecter|validation|authentif|réinitialis|récupération|identification|confirmation|double authentification)`,
  String.raw`\b(?:code|mot de passe)\s+(?:à usage unique|unique|temporaire|provisoire|à \d chiffres)`,
  String.raw`\bc[óo]digos?\s+(?:secreto\s+)?(?:de\s+|para\s+(?:tu\s+|su\s+)?)?(?:verificaci[óo]n|verificar|seguridad|inicio de sesi[óo]n|iniciar sesi[óo]n|autenticaci[óo]n|confirmaci[óo]n|validaci[óo]n|restablec|recuperaci[óo]n|un solo uso|uso [úu]nico|[úu]nico|temporal|acceder|identificaci[óo]n|doble factor)`,
  String.raw`\b(?:contrase[ñn]a|clave)\s+(?:de un solo uso|temporal|provisional|din[áa]mica|[úu]nica)`,
  String.raw`\bc[óo]digos?\s+(?:de\s+|para\s+)?(?:verifica[çc][ãa]o|verificar|seguran[çc]a|login|in[íi]cio de sess[ãa]o|iniciar sess[ãa]o|entrar|autentica[çc][ãa]o|confirma[çc][ãa]o|valida[çc][ãa]o|redefini[çc][ãa]o|redefinir|recupera[çc][ãa]o|uso [úu]nico|[úu]nico|tempor[áa]rio|identifica[çc][ãa]o)`,
  String.raw`\b(?:senha|palavra-passe)\s+(?:tempor[áa]ria|provis[óo]ria|descart[áa]vel|de uso [úu]nico|[úu]nica)`,
  `(?:認証|確認|セキュリティ|ログイン|ワンタイム|検証|本人確認|段階認証|リセット|再設定|サインイン|照合)用?(?:コード|パスワード|パスコード|キー|PIN|トークン)|認証番号|ワンタイムパス|(?:ログイン|サインイン|認証|本人確認)[^\n。]{0,12}コード`,
  `(?:验证|驗證|校验|校驗|动态|動態|登录|登入|登錄|一次性|認證|认证|重置|重設|短信|簡訊|安全|确认|確認|身份)(?:验证|驗證)?(?:码|碼|密码|密碼|代码|代碼|口令|PIN)`,
);

/** Names of codes that are also used for orders, bookings and locks. */
export const weakNouns = anyOf(
  String.raw`\b(?:codes?|pin|passcode|token|zugangscode|zugriffscode|freischaltcode|aktivierungscode|c[óo]digos?)\b`,
  "コード|パスコード|暗証番号|確認番号|代码|代碼|激活码|启用码|授权码|授權碼|识别码|口令",
);

/** Words that give a weak name another meaning. They are tested on the text around the name. */
export const otherCodes = anyOf(
  String.raw`%\s*off|\b(?:promo|discount|checkout|save\b|deal\b|coupon|voucher|gift|referral|post(?:al)?[\s-]?code|zip|booking|reservation|orders?\b|tracking|pick-?\s?up|collection|locker|parcel|product|item|article|country|area\b|dial|error|status\b|bar-?code|qr\b|dress\b|tax|sort\b|swift|bic\b|bank\s+code|customer|client|referen|project|sku\b|doors?\b|gate\b|entry|entrance|building|wi-?fi|source|meeting|conference|event|ticket|campaign|offer|invit|flight|review|lock\s?box|garage|alarm|dial|webinar|participant|webex|zoom meeting|hotel|seat\b|check-?in\b)`,
  String.raw`rabatt|gutschein|kasse\b|aktions|abhol|buchungs|bestell|tür|postleit|kunden|artikel|fehler|vorwahl|reservierung|sendung|haustür|schlüsselbox|quellcode|strichcode|besprechung|einwahl|telefonkonferenz|teilnehm|sitzplatz|\bflug`,
  String.raw`réduction|remise|panier|promotionnel|avantage|code postal|réservation|commande|suivi|retrait|\bporte\b|portail|erreur|parrainage|cadeau|immeuble|réunion|conférence|siège|\bvol\b|hôtel`,
  String.raw`descuento|promocional|c[óo]digo postal|reserva|pedido|seguimiento|recogida|puerta|portal|regalo|cup[óo]n|reuni[óo]n|env[íi]o|videollamada|asiento|vuelo`,
  String.raw`desconto|encomenda|rastrei|rastrea|retirada|levantamento|\bporta\b|\berro\b|presente|cupom|cup[ãa]o|reuni[ãa]o|\bcep\b|videochamada|assento|\bvoo\b`,
  "クーポン|割引|予約|注文|追跡|郵便|エラー|商品|受取|受け取り|紹介|ドア|会議|ミーティング|プロモ|ギフト|宅配|ウェビナー|便名|座席|航空|宿泊|号車",
  "优惠|折扣|预订|预定|订单|邮政|邮编|取件|提货|错误|商品|門|门禁|会议|會議|優惠|訂單|取貨|郵遞|推荐|邀请|兑换|核销|入住|快递|航班|座位|车次|酒店|研讨",
);

/** Words of mails about signing in or proving an identity. */
export const signInWords = anyOf(
  String.raw`\b(?:sign(?:ing|ed)?[\s-]?(?:in|up|on)|log(?:ging|ged)?[\s-]?(?:in|on)|verif(?:y|ying|ication)|authenticat\w*|reset(?:ting)?\s+(?:your\s+|the\s+)?password|password\s+reset|confirm\s+(?:your\s+|that\s+)?(?:e-?mail|account|identity|this|it)|two-factor|2-step|new device|account recovery)`,
  String.raw`anmeld|einlogg|\blogin\b|verifizier|authentifizier|passwort|kennwort|identität|e-mail-adresse (?:zu )?bestätig|zwei-faktor|registrierung`,
  String.raw`connexion|connecter|vérifi|authentifi|mot de passe|identité|valider votre|confirmer votre (?:e-?mail|adresse|compte)|inscription`,
  String.raw`iniciar sesi[óo]n|inicio de sesi[óo]n|verific|autentic|contrase[ñn]a|identidad|acceder a (?:tu|su) cuenta|confirmar? (?:tu|su) (?:correo|cuenta)|registro`,
  String.raw`iniciar sess[ãa]o|fazer login|\bentrar\b|autentic|senha|palavra-passe|identidade|aceder|acessar (?:a )?sua conta|cadastro`,
  "ログイン|サインイン|認証|本人確認|パスワード|アカウント|会員登録|メールアドレスの確認",
  "登录|登錄|登入|验证|驗證|密码|密碼|身份|账号|帐号|帳號|账户|帳戶|注册|註冊",
);

const spans = String.raw`(?:min(?:ute|uto)?(?:n|s)?|hours?|hrs?|seconds?|sekunden|segundos|secondes|stunden?|std|heures?|horas?|h|分(?:钟|鐘|間)?|小时|小時|時間|秒(?:钟|鐘)?|days?|tage?n?|jours?|d[íi]as?)(?![a-z])`;
const number = String.raw`(?:\d{1,3}|one|an?|ten|fifteen|thirty|eine[rn]?|zehn|une?|dix|quinze|una?|diez|uma?|dez|十|三十|五)`;

/** Words about the validity of a code or link. */
export const validity = anyOf(
  String.raw`(?:expir|valid|good\s+for|active|within|for\s+the\s+next|works?\s+for|gültig|läuft|verfällt|ablauf|nächsten|innerhalb|binnen|valable|valide|prochaines|dans\s+les|caduca|vence|v[áa]lid|pr[óo]xim|durante|dentro\s+de|有効|期限|有效|请在|請在|请于|將於|将在|过期|失效)[^\n]{0,50}?${number}\s*[- ]?${spans}`,
  String.raw`${number}\s*[- ]?${spans}[^\n]{0,20}?(?:有効|有效|以内|内有|内に|内输|內|过期|失效|gültig|lang|expire)`,
  String.raw`(?:can|may)\s+(?:only\s+)?be\s+used\s+(?:only\s+)?once|only\s+(?:works|be used)\s+once|nur\s+einmal|une\s+seule\s+fois|una\s+sola\s+vez|uma\s+(?:única\s+)?vez|一度(?:のみ|だけ|限り)|1回(?:のみ|限り)|仅(?:可|能|限)?使用一次|只能使用一次`,
);

/** Requests to ignore a mail that another person caused. */
export const notByYou = anyOf(
  String.raw`(?:did\s?n[o'’]t|did\s+not|do\s?n[o'’]t|weren['’]t|wasn['’]t|not)\s+(?:you\s+|make\s+)?(?:request|try|ask|attempt|initiat|recogni[sz]e|sign|log|expect|make\s+this\s+request|you\b)`,
  String.raw`(?:nicht|kein\w*)\s+(?:\S+\s+){0,4}(?:angefordert|beantragt|veranlasst|gestellt|versucht|angemeldet|registriert|erstellt|erkannt|kennst|kennen|warst|waren|wollten|wolltest)|(?:nicht\s+(?:sie|du|von\s+(?:ihnen|dir)))`,
  String.raw`(?:n['’](?:avez|as|êtes|es|est)|ne\s+(?:vous|reconnaissez|souhaitez))\s*(?:pas\s+)?[^\n.]{0,20}?(?:demand|origine|effectu|tent|essay|reconn|pas\s+vous|fait cette|initi)|ce\s+n['’](?:était|est)\s+pas\s+vous|ne reconnaissez pas`,
  String.raw`(?:no|não|nao)\s+(?:ha[sn]?\s+|lo\s+|la\s+|o\s+|fue\s+|foi\s+|fuiste|fez\s+|fizeste\s+|fui\s+|est[áa]\s+|reconoce|reconhece)?\s*(?:sido\s+|hiciste\s+)?(?:solicit|pedid|pediste|pediu|hizo|intent|tent|t[úu]\b|usted|voc[êe]|esta|este|realiz|fez|reconhe|recono)`,
  String.raw`\bignor\w*\s+(?:this|that|the|it\b|dies|ce(?:t|tte)?\b|est[ea]|ess[ea]|o\s|a\s)|(?:this|diese|ce(?:t|tte)?|est[ea]|ess[ea])\s+(?:e-?mail|message|nachricht|mensaje|mensagem|correo)\s+(?:ignor|can be ignored)`,
  "心当たり(?:が|の)?(?:ない|なく|無い)|身に覚え|ご本人(?:様)?(?:で|が|以外)|リクエストしていない|覚えのない|お心当たり|操作していない",
  "(?:不是|并非|並非|非|没有|沒有|未)(?:您|你)?(?:本人|自己|请求|請求|申请|申請|操作|尝试|發起|发起)|(?:忽略|无视|無視)(?:此|本|该|這|这|該)",
);

/** Warnings against passing on a code. */
export const keepSecret = anyOf(
  String.raw`(?:do\s+not|don['’]t|never|not)\s+(?:ever\s+)?(?:share|give|forward|disclose|reveal|send|tell|ask)`,
  String.raw`(?:nicht|niemals|niemandem|keinesfalls)\s+(?:\S+\s+){0,3}(?:weiter|mit|teilen|preis)|(?:teil\w*|gib|geben)\s[^\n.]{0,40}(?:niemand|nicht|niemals)`,
  String.raw`ne\s+(?:le\s+|la\s+|les\s+)?(?:partagez|communiquez|transmettez|divulguez|partage)|(?:no|não|nao)\s+(?:lo\s+|la\s+|o\s+|a\s+)?(?:compart|reveles?|divulg|envie|env[íi]es|partilh|comunique|informe|repasse)|nunca\s+(?:lo\s+|o\s+)?(?:compart|partilh|divulg|pediremos)`,
  "(?:教えない|共有しない|開示しない|知らせない|漏ら)|(?:请勿|請勿|切勿|不要)(?:将|將|把|向|转|轉|泄|洩|告|透|分享|提供|回复)",
);

/** Words directly before a number or a word that mark it as something other than a code. */
export const otherLabels = new RegExp(
  String.raw`(?:\b(?:order|invoice|receipt|tracking|shipment|parcel|ref|reference|case|incident|ticket|customer|member(?:ship)?|booking|reservation|confirmation\s+number|flight|train|seat|room|suite|apartment|meeting|conference|phone|tel|telephone|call|dial|fax|mobile|iban|account|vat|tax|zip|box|article|item|sku|model|serial|amount|total|price|since|version|policy|contract|patient|student|employee|license|card|ending(?:\s+in)?|isbn|build|extension|ext|street|st|road|version|year|in|of|©|bestell\w*|rechnung\w*|auftrag\w*|sendung\w*|kunden\w*|vorgang\w*|beleg\w*|vertrag\w*|buchung\w*|aktenzeichen|plz|telefon|handy|konto\w*|artikel\w*|zimmer|gleis|zug|facture|commande|colis|suivi|dossier|client|contrat|réservation|vol|train|tél|téléphone|article|montant|chambre|pedido|factura|env[íi]o|cliente|contrato|reserva|vuelo|tel[ée]fono|art[íi]culo|importe|habitaci[óo]n|seguimiento|fatura|encomenda|contrato|voo|telefone|artigo|valor|quarto|rastreio)\b|注文|請求|追跡|お?問い?合わ?せ|お客様|会員|予約|便|電話|商品|部屋|口座|伝票|订单|訂單|发票|發票|运单|運單|快递|客户|客戶|会员|預訂|预订|航班|电话|電話|房间|账户|合同|编号|編號|单号|單號|取件)[\s.,]*(?:(?:code|id|no|nr|number|nummer|num[ée]ro|n[úu]mero|n[°ºo]|番号|号码|號碼|号|號))?[\s.:#№°º(（]*$|[#№€$£¥+×x*•@]\s*$|\b(?:no|nr|n[°ºo]|№)[.\s:]*$|\*{2,}\s?$`,
  "iu",
);

/** Units after a number. */
export const units =
  /^ ?(?:€|\$|£|¥|%|‰|°|EUR|USD|GBP|CHF|BRL|JPY|CNY|kr(?!\p{L})|円|元|ドル|ユーロ|欧元|k?m²|km(?!\p{L})|kg(?!\p{L})|g(?!\p{L})|[kmg]b(?!\p{L})|kwh(?!\p{L})|points?(?!\p{L})|punkte(?!\p{L})|pts(?!\p{L})|puntos(?!\p{L})|pontos(?!\p{L})|ポイント|积分|點|people|users?(?!\p{L})|(?:work(?:ing)?\s+)?(?:days?|hours?|minutes?|seconds?|years?|months?|weeks?)(?!\p{L})|tage?n?(?!\p{L})|stunden?(?!\p{L})|minuten?(?!\p{L})|jahre?n?(?!\p{L})|年|月|日|分|秒|時|号室|番地|street(?!\p{L})|st(?!\p{L})|ave)/iu;

/** Names of keys that restore an account. */
export const recoveryNouns = anyOf(
  String.raw`\b(?:recovery|backup|back-up|emergency|restore|rescue|scratch)[\s-](?:codes?|passcodes?|tokens?|pins?|keys?|phrase|words|kit|passphrase)\b|\bseed[\s-]?(?:phrase|words)\b|\bsecret[\s-](?:key|phrase|recovery phrase)\b|\bmnemonic\b|\bencryption key\b|\bsecurity key\b`,
  String.raw`\b(?:wiederherstellungs|backup-?|ersatz|notfall|sicherungs|reserve-?)(?:codes?|schlüssels?|phrase|wörter)\b`,
  String.raw`\b(?:codes?|cl[ée]s?|phrase)\s+(?:de\s+)?(?:récupération|secours|sauvegarde|restauration)\b`,
  String.raw`\b(?:c[óo]digos?|claves?|chaves?|frase)\s+(?:de\s+)?(?:recuperaci[óo]n|respaldo|reserva|emergencia|recupera[çc][ãa]o|backup|seguran[çc]a|c[óo]pia de seguran[çc]a)\b`,
  String.raw`\b(?:codic[ei]|chiav[ei]|frase)\s+di\s+(?:recupero|ripristino|riserva|backup|emergenza)\b|\b(?:herstel|back-?up-?|nood|reserve)(?:codes?|sleutels?|zin|woorden)\b`,
  "(?:回復|リカバリー?|バックアップ|復元|復旧|予備)(?:用)?(?:コード|キー|フレーズ)|(?:恢复|恢復|备用|備用|备份|備份|復原|复原|助记)(?:代码|代碼|密钥|金鑰|密鑰|码|碼|词|詞|短语|驗證碼|验证码)",
);

/** Names of passwords that the sender chose. */
export const sentPasswords = anyOf(
  String.raw`\b(?:temporary|temp|first[\s-]time|initial|new|generated|default|provisional|one[\s-]?time|starting|your)\s+(?:log[\s-]?in\s+)?password\b(?!\s+(?:reset|must|should|has|was|will|for|and|or|can|expires?|at))`,
  String.raw`\b(?:vorläufiges|temporäres|neues|initiales?|ihr|dein|start|erst|initial|einmal)-?\s?(?:passwort|kennwort)\b`,
  String.raw`\bmot de passe\s+(?:temporaire|provisoire|initial|généré|à usage unique)|\bnouveau mot de passe`,
  String.raw`\b(?:contrase[ñn]a|clave)\s+(?:temporal|provisional|inicial|generada)|\bnueva contrase[ñn]a|\b(?:senha|palavra-passe)\s+(?:tempor[áa]ria|provis[óo]ria|inicial|gerada)|\bnova (?:senha|palavra-passe)`,
  "(?:仮|初期|臨時|一時|新しい|新)パスワード|(?:临时|初始|臨時|新|默认|預設)(?:密码|密碼|口令)",
);
