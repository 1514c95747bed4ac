/**
 * The purposes for which a sender identifies the reader, in the languages of `code-words.ts`: signing in, a new device,
 * a locked account, a payment to release, parental control. Each line is one language.
 */

import { occurs } from "./found.ts";

const anyOf = (...parts: readonly string[]): RegExp => new RegExp(parts.join("|"), "giu");
/** The boundaries of words are there once for all languages, because each takes milliseconds to compile. */
const wholeWords = (...parts: readonly string[]): string =>
  String.raw`(?<!\p{L})(?:${parts.join("|")})(?!\p{L})`;

/** Words for the reader's identification or access. */
const accessPurposes = anyOf(
  String.raw`(?:confirm|verify|prove|make\s+sure|check|ensure|know|is\s+this)\s+(?:that\s+)?(?:it(?:['’]s|\s+is|\s+was)|this\s+is|you\s+are|you['’]re|you)(?!\p{L}|(?:\s+are)?\s+(?:coming|attending|going|joining|able|available|happy|ready))|yourself|(?:link|pair|connect|trust|approv|authori[sz]|add|register|activat|sign|log|access|recogni[sz]|unlock|wants?\s+to|new|enrol|unknown|unfamiliar)\w*[^.\n]{0,40}(?<!\p{L})(?:device|browser|computer|laptop|phone|console|tv|television|tablet|macbook|session|app\b)|(?:continue|access|get\s+(?:back\s+)?in(?:to)?|(?:un)?lock|recover|restor|regain|delet|clos|link|secure|activat|block|creat|open|join|reactivat|add)\w*[^.\n]{0,30}(?<!\p{L})(?:accounts?|profile|vault|wallet|portal|keychain|workspace)(?!\p{L})|(?:authori[sz]|approv|releas|confirm|sign|validat|complet|execut)\w*[^.\n]{0,50}(?<!\p{L})(?:payments?|transfers?|purchase|transactions?|payee|withdraw\w*|payout|standing\s+order|beneficiary)(?!\p{L})|parental|screen\s?time|password-?less|(?:without|no|skip|forget)\s+(?:a\s+|the\s+)?passwords?|pass-?keys?\b|(?:magic|one[\s-]?(?:time|off|tap|click)|single[\s-]use|instant|secure)\s+(?:sign[\s-]?in|log[\s-]?in|link|access|code|pass|key)|two[\s-]?(?:step|factor)|2[\s-]?step|\b[2m]fa\b|3-?d[\s-]?secure|new\s+password|forg[eo]t\w*\s+(?:your\s+|my\s+)?password|set\s+(?:up\s+)?(?:your\s+|a\s+)?password|failed\s+(?:sign|log|attempt)|(?:registration|pairing|linking|activation|unlock|enrol?lment|porting|transfer|guard|authori[sz]ation|identification)\s+(?:code|pin|number|key)|(?:e-?mail|number|address)[^.\n]{0,20}(?<!\p{L})(?:of|for|to|on|with)\s+(?:your|the)\s+account|chang\w+\s+(?:of\s+)?(?:your\s+)?(?:e-?mail|phone|mobile|login)|sign(?:ing|s|ed)?[\s-]?(?:you\s+|me\s+)?in\b|log(?:ging|s|ged)?[\s-]?(?:you\s+|me\s+)?in\b|\bauth\b|authenticat|act\s+as\s+you|identity`,
  String.raw`(?:dass|ob)\s+(?:wirklich\s+)?(?:sie|du)\s+(?:es\s+)?(?:wirklich\s+)?(?:sind|bist|es)|(?:sie|du)\s+es\s+(?:sind|bist)|(?:verknüpf|verbind|koppel|koppl|freigeb|freigab|zulass|autorisier|bestätig|neue[sn]?|unbekannte[rsn]?|hinzufüg|registrier)\w*[^.\n]{0,40}(?:gerät|browser|computer|rechner|handy|smartphone|fernseher|konsole|sitzung|app\b)|(?:gerät|browser|fernseher|rechner)\w*\s[^.\n]{0,30}(?:verknüpf|verbind|koppel|freigeb|bestätig|zulass|hinzufüg)|(?:in|auf)\s+(?:dein|ihr)\w*\s+(?:konto|account|profil)|(?:konto|account|zugang|profil)\w*\s[^.\n]{0,30}(?:sperr|entsperr|lösch|aktivier|freischalt|zugreif|wiederherstell)|(?:gesperrt|entsperren|freischalten)|(?:freigeb|freigab|autorisier|bestätig)\w*[^\n]{0,60}(?:zahlung|überweisung|auftrag|transaktion|kauf|lastschrift)|(?:zahlung|überweisung|auftrag|dauerauftrag|transaktion|kauf)[^\n]{0,60}(?:freigeb|freigab|\bfrei\b|autorisier|gilt\s+die)|eltern-?(?:pin|code|kontrolle)|kindersicherung|jugendschutz|ohne\s+(?:ein\s+)?(?:passwort|kennwort)|passkey|zugangs-?(?:pin|code|daten)|kundencenter|kundenportal|eingeloggt|einlogg|anzumelden|anmeld(?:ung|en|enamen)|online-?banking|online-?ausweis|zwei-?(?:faktor|schritt)|(?:e-?mail|adress|nummer)\w*[^.\n]{0,25}(?:änder|wechsel)|zugriff\s+(?:erlauben|bestätigen|gewähren)|registrierung|(?:registrierungs|kopplungs|aktivierungs|freigabe)-?code|identifi|fehlversuch`,
  String.raw`(?:que\s+)?c['’]est\s+(?:bien|vraiment)\s+vous|(?:associ|jumel|appair|connect|autoris|approuv|reconn|ajout|nouve(?:l|au|lle)|inconnue?|enregistr)\w*[^.\n]{0,40}(?:appareil|navigateur|ordinateur|téléphone|mobile|téléviseur|télé\b|console|session)|(?:accéder|accédez|accès|connect\w*|bloqu|débloqu|déblocage|verrouill|récupér|supprim|activ|associ|créer)\w*[^.\n]{0,30}(?:compte|espace\s+(?:client|personnel)|profil|portefeuille|coffre)|(?:valid|autoris|approuv|confirm|sign)\w*[^\n]{0,60}(?:virement|paiement|achat|opération|transaction|bénéficiaire)|3-?d[\s-]?secure|contrôle\s+parental|code\s+parental|(?:sans|pas\s+besoin\s+de)\s+mot\s+de\s+passe|cl[ée]s?\s+d['’]acc[èe]s|usage\s+unique|nouveau\s+mot\s+de\s+passe|mot\s+de\s+passe\s+oublié|code\s+d['’](?:inscription|accès|activation|association)|(?:adresse|courriel|e-?mail|numéro)[^.\n]{0,30}(?:votre|du)\s+compte|chang\w+\s+d['’](?:adresse|e-?mail)|se\s+connecter|connectez-vous|vous\s+connecter|de\s+connexion|double\s+authentif|authentifi|identité|à\s+votre\s+compte`,
  String.raw`(?:que\s+)?(?:eres|es|sea[ns]?)\s+(?:realmente\s+|de\s+verdad\s+)?(?:t[úu]|usted)(?!\p{L})|(?:entr|acced|ingres)\w*\s+desde|autor[íi]z|(?:vincul|empareja|asoci|conect|reconoc|aprueb|aprob|nuev[oa]|desconocid[oa]|añad|registr)\w*[^.\n]{0,40}(?:dispositivo|navegador|ordenador|computadora|m[óo]vil|celular|tel[ée]fono|televisor|\btele\b|\btv\b|consola|sesi[óo]n)|(?:acced|acceso|entra|bloque|desbloque|recuper|elimin|activ|vincul|crea)\w*[^.\n]{0,30}(?:cuenta|perfil|cartera|portal|[áa]rea\s+(?:de\s+)?client)|(?:autoriz|firm|aprob|aprueb|confirm|valid)\w*[^\n]{0,60}(?:pago|transferencia|compra|operaci[óo]n|transacci[óo]n|bizum|beneficiario)|(?:control|pin|c[óo]digo)\s+(?:parental|de\s+padres)|sin\s+contrase[ñn]as?|llave\s+de\s+acceso|clave\s+de\s+(?:acceso|paso)|un\s+solo\s+uso|nueva\s+contrase[ñn]a|(?:c[óo]digo|pin)\s+(?:de\s+)?(?:registro|acceso|activaci[óo]n|inicio|vinculaci[óo]n|autorizaci[óo]n|firma)|(?:pin|c[óo]digo|clave)\s+para\s+(?:entrar|acceder|iniciar)|(?:correo|e-?mail|n[úu]mero)[^.\n]{0,30}(?:tu|su|la)\s+cuenta|cambio\s+de\s+(?:correo|e-?mail|tel)|inici(?:ar|a|o)\s+(?:de\s+)?sesi[óo]n|dos\s+pasos|autentic|identidad|con\s+tu\s+cuenta`,
  String.raw`que\s+(?:é|seja)\s+(?:mesmo\s+|realmente\s+)?(?:voc[êe]|tu)(?!\p{L})|(?:vincul|emparelh|parear|associ|autoriz|conect|reconhec|aprov|nov[oa]|desconhecid[oa]|habilita|adicion|registr|regist|ligar)\w*[^.\n]{0,40}(?:dispositivo|aparelho|navegador|computador|celular|telem[óo]vel|telefone|\btv\b|televis|console|consola|sess[ãa]o)|(?:acess|aced|entra|bloque|desbloque|recuper|elimin|exclu|ativ|vincul|cria|ligar)\w*[^.\n]{0,30}(?:conta|perfil|carteira|portal|[áa]rea\s+d[eo]\s+client)|(?:autoriz|assin|aprov|confirm|valid)\w*[^\n]{0,60}(?:pagamento|transfer[êe]ncia|\bpix\b|compra|opera[çc][ãa]o|transa[çc][ãa]o)|controle?\s+(?:dos\s+pais|parental)|(?:pin|c[óo]digo)\s+(?:dos\s+pais|parental)|sem\s+(?:a\s+)?(?:senhas?|palavra-passe)|chave\s+de\s+acesso|uso\s+[úu]nico|nova\s+(?:senha|palavra-passe)|(?:c[óo]digo|pin)\s+(?:de\s+)?(?:registro|registo|acesso|ativa[çc][ãa]o|in[íi]cio|autoriza[çc][ãa]o)|(?:pin|c[óo]digo|senha)\s+(?:de\s+\d+\s+d[íi]gitos\s+)?para\s+(?:entrar|acessar|aceder|iniciar)|(?:e-?mail|n[úu]mero)[^.\n]{0,30}(?:tua|sua|na|da)\s+conta|(?:mudan[çc]a|troca|altera[çc][ãa]o)\s+de\s+(?:e-?mail|telefone)|iniciar\s+sess[ãa]o|fazer\s+login|concluir\s+o\s+login|duas\s+etapas|autentica[çc]|identidade|à\s+sua\s+conta`,
  String.raw`(?:ご)?本人(?:様)?(?:で(?:ある|す)|確認)|(?:新しい|この|不明な|別の|異なる|未登録の)(?:端末|デバイス|ブラウザ|パソコン|スマートフォン|テレビ)|(?:端末|デバイス|ブラウザ|テレビ)[^\n。]{0,15}(?:承認|連携|認証|許可|接続|登録|アクセス)|アカウント[^\n。]{0,20}(?:連携|ロック|解除|復元|削除|有効|アクセス|変更)|ロック[^\n。]{0,4}解除|(?:振込|振り込み|お?支払い|決済|送金|取引)[^\n。]{0,15}(?:承認|認証|確定|実行|許可)|3-?dセキュア|保護者|ペアレンタル|パスワード(?:不要|なし|レス|を入力せず)|パスキー|一度だけ使える|ワンタイム|ワンタップ|登録コード|認証(?:コード|番号|キー)|確認用|ログイン|サインイン|メールアドレス(?:の|を)?変更|二段階|2段階|本人様以外|なりすまし`,
  String.raw`(?:确认|確認|证明|核实|验证|驗證)(?:是)?(?:您|你)?(?:本人|身份)|(?:是|为)(?:您|你)?本人|(?:新|陌生|此|该|該|未知|其他)(?:的)?(?:设备|裝置|手机|手機|浏览器|瀏覽器|电脑|電腦)|(?:设备|裝置|电视|電視|手机)[^\n。]{0,12}(?:授权|授權|绑定|綁定|连接|登录|登入|配对|配對)|(?:授权|授權|绑定|綁定|配对|配對|解锁|解鎖|锁定|鎖定|注销|找回|冻结|激活|更换)[^\n。]{0,12}(?:设备|裝置|电视|電視|账号|帐号|帳號|账户|帳戶|邮箱|手机)|(?:账号|帐号|帳號|账户|帳戶)[^\n。]{0,12}(?:锁定|鎖定|解锁|解鎖|绑定|綁定|冻结|邮箱|被盗|注销|登录|登入)|(?:授权|授權|确认|確認|正在|进行)[^\n。]{0,20}(?:转账|轉帳|支付|付款|汇款|匯款|交易)|(?:家长|家長)(?:控制|监护|監護)|(?:无需|無需|免|不用|不需)(?:输入)?密码?密?碼?|通行密(?:钥|鑰)|一次性|注册码|註冊碼|登录|登錄|登入|实名|實名|短信验证|双重验证|两步验证|動態密碼|动态密码|随机密码|隨機密碼`,
  String.raw`(?:address|e-?mail|number|account|phone)\s+(?:really\s+)?(?:is\s+yours|belongs?\s+to\s+you)|(?:confirm|verif|validat|prov)\w*[^.\n]{0,25}(?<!\p{L})(?:e-?mail|phone|mobile|address|number|identity)(?!\p{L})|is\s+(?:it|this|that)\s+(?:really\s+)?you\b|(?<!\p{L})(?:your|the)\s+(?:mailbox|inbox)(?!\p{L})|(?:where|page|tab|window|screen)\s+(?:\w+\s+)?you\s+(?:started|left)|\bsim\b|withdraw|(?:add|link|activat|unlock)\w*[^.\n]{0,40}(?<!\p{L})(?:card|wallet|watch|car|profile|line)(?!\p{L})|(?:watch|speaker|box)(?!\p{L})[^.\n]{0,50}\bprofile|(?:another|other|different|fresh)\s+password|carry\s+on\s+in|(?:prove|proof)(?!\p{L})[^.\n]{0,20}(?<!\p{L})(?:you|your)`,
  String.raw`(?:adresse|nummer|konto)\s+(?:wirklich\s+)?(?:ihnen|dir)\s+(?:gehört|ist)|(?:bestätig|verifizier|prüf)\w*[^.\n]{0,40}(?:e-?mail|telefon|handy|adresse|nummer|identität|zahlung\w*)|(?:kartenzahlung|kauf|zahlung)[^\n]{0,60}bestätig|(?:dein|ihr)\w*\s+postfach|(?:digitale[nr]?\s+karte|freischalt)|(?:anderes|neues)\s+(?:passwort|kennwort)|\bsim\b|(?:neue[sn]?|ihr|dein)\s+(?:neue[sn]?\s+)?(?:handy|uhr|gerät)|(?:uhr|auto|lautsprecher)(?!\p{L})[^.\n]{0,50}(?:profil|konto)|rufnummern?mitnahme|fernzugang`,
  String.raw`(?:adresse|numéro|compte)\s+(?:est|soit)\s+(?:bien\s+)?(?:la|le|à)\s+(?:vôtre|vous)|(?:confirm|vérifi|prouv|valid)\w*[^.\n]{0,30}(?:e-?mail|courriel|téléphone|mobile|adresse|numéro|identité)|votre\s+boîte|(?:ajout|nouveau)\s+d?['’]?(?:un\s+)?bénéficiaire|sécuripass|autre\s+mot\s+de\s+passe|\bsim\b|portabilité|transfert\s+de\s+(?:votre|la)\s+ligne|(?:montre|voiture|enceinte)(?!\p{L})[^.\n]{0,50}(?:profil|compte)`,
  String.raw`(?:correo|n[úu]mero|cuenta|direcci[óo]n)\s+es\s+(?:tuy[oa]|suy[oa])|(?:confirm|verific|comprob|demostr)\w*[^.\n]{0,30}(?:e-?mail|correo|tel[ée]fono|m[óo]vil|direcci[óo]n|n[úu]mero|identidad)|(?:tu|su)\s+buz[óo]n|beneficiario|donde\s+(?:lo\s+)?(?:empezaste|dejaste)|otra\s+contrase[ñn]a|\bsim\b|portabilidad|traslado\s+de\s+(?:tu|su|la)\s+l[íi]nea|(?:reloj|coche|altavoz)(?!\p{L})[^.\n]{0,50}(?:perfil|cuenta)`,
  String.raw`(?:e-?mail|n[úu]mero|conta|endere[çc]o)\s+é\s+(?:mesmo\s+)?(?:seu|sua|teu|tua)|(?:confirm|verific|comprov)\w*[^.\n]{0,30}(?:e-?mail|telefone|telem[óo]vel|celular|endere[çc]o|n[úu]mero|identidade)|sua\s+caixa|favorecido|benefici[áa]rio|(?:onde|em\s+que)\s+(?:voc[êe]\s+)?(?:come[çc]ou|parou)|outra\s+(?:senha|palavra-passe)|\bsim\b|portabilidade|troca\s+de\s+operadora|(?:rel[óo]gio|carro|coluna)(?!\p{L})[^.\n]{0,50}(?:perfil|conta)`,
  String.raw`(?:set|choos|pick|creat|defin)\w*\s[^.\n]{0,25}password|(?:was|if)\s+(?:it|this|that)\s+(?:was\s+)?you\b|(?:mov|migrat|transfer)\w*\s[^.\n]{0,25}account`,
  String.raw`(?:wähl|vergeb|setz|erstell|leg)\w*\s[^.\n]{0,25}(?:passwort|kennwort)|waren\s+sie\s+das|warst\s+du\s+das|(?:konto|profil)\w*\s[^.\n]{0,20}(?:angelegt|erstellt|eröffnet)`,
  String.raw`(?:défini|choisi|cré)\p{L}*\s[^.\n]{0,25}mot\s+de\s+passe|c['’]était\s+(?:bien\s+)?vous|opération\s+(?:sensible|en\s+cours|en\s+attente)|de\s+secours`,
  String.raw`(?:elig|elij|escog|crea|defin)\p{L}*\s[^.\n]{0,25}contrase[ñn]a|(?:eras|fuiste|has\s+sido|has\s+hecho)\s+t[úu](?!\p{L})|operaci[óo]n\s+pendiente|de\s+respaldo`,
  String.raw`(?:escolh|cri|defin)\p{L}*\s[^.\n]{0,25}(?:senha|palavra-passe)|(?:era|foi)\s+(?:mesmo\s+)?voc[êe](?!\p{L})|opera[çc][ãa]o\s+pendente|de\s+recupera[çc][ãa]o`,
  "本人(?:様)?でし|パスワードを?(?:設定|登録)|取引を?確定|(?:是|为)(?:您|你)本人|(?:设置|設定|设定)(?:新)?(?:密码|密碼)|交易待确认|访问权限",
  "(?:電話番号|メールアドレス|アドレス|番号)(?:を|の|が)?(?:ご)?(?:確認|認証|本人)|振込先|別のパスワード|新しいパスワード|最初の画面|元の画面|sim|(?:時計|車|スピーカー)[^\\n。]{0,20}(?:登録|プロフィール)",
  "(?:验证|驗證|确认|確認)[^\\n。]{0,10}(?:手机|手機|邮箱|郵箱|信箱|号码|號碼)|(?:邮箱|信箱|号码|手机)[^\\n。]{0,6}(?:属于|屬於)|(?:您|你)的(?:邮箱|信箱)|收款人|新密码|新密碼|刚才的页面|剛才的頁面|补卡|sim|(?:手表|手錶|汽车|音箱)[^\\n。]{0,20}(?:绑定|綁定|帐号|账号)",
);

/** Texts whose purpose is known. The rules examine the same subject and the same sentences several times. */
const examined = new Map<string, boolean>();
const mostExamined = 64;

/** Returns whether a text says that the reader identifies herself or gets access. */
export function hasAccessPurpose(text: string): boolean {
  const known = examined.get(text);
  if (known !== undefined) return known;
  const found = occurs(accessPurposes, text);
  if (examined.size >= mostExamined) examined.clear();
  examined.set(text, found);
  return found;
}

/** Verbs that ask the reader to enter something. */
export const enterVerbs = anyOf(
  String.raw`(?<!\p{L})(?:enter(?:ing)?|type|typing|input|key\s+in|submit|paste|pop|punch|put|copy|fill\s+in|provide|use|give|quote|read\s+(?:out|back)|(?:reply|respond)\s+with|carry|waiting\s+for|sent\s+you|you\s+need)(?!\p{L})`,
  String.raw`(?<!\p{L})(?:gib|geben|gebe|eingeben|einzugeben|eingegeben|einzutippen|eintippen|tipp(?:e|en)?|trag(?:e|en)?|verwende[nt]?|nutze[n]?|benutze[n]?|übertragen|kopiere[n]?|gefragt|benötig\w+|brauch\w+|antworten|bestätigen|übertrage)(?!\p{L})`,
  String.raw`(?<!\p{L})(?:saisi[rst]?|saisissez|entre[rz]|tape[rz]?|compose[rz]?|recopie[rz]?|indique[rz]?|renseigne[rz]?|utilise[rz]?|copie[rz]?|insère|insérez|fourni\w*|report(?:e|ez|er)|répond(?:s|ez|re)?|confirme[rz]?)(?!\p{L})|\bdemand(?:é|er)`,
  String.raw`(?<!\p{L})(?:introdu(?:ce|zca|cir|cirlo|zcas)|ingres[ae]r?|escrib[aei]r?|tecle[ae]r?|digit[ae]r?|us[ae]r?|pon(?:er|ga)?|copi[ae]r?|facilit[ae]|[úu]sal[oa]|responde|conf[íi]rmal[oa]|confirma|pulsa|marca)(?!\p{L})`,
  String.raw`(?<!\p{L})(?:insir[ao]|inserir|introduz(?:a|ir)?|escreva|digite|digitar|informe|utilize|copie|coloque|preencha|responda|confirme|use)(?!\p{L})`,
  "入力|打ち込|ご記入|貼り付け|返信|お使い",
  "输入|輸入|填写|填寫|填入|键入|鍵入|使用|回填|回复|回覆|用于|用於",
);

/** Names of a secret that is short enough to be typed. */
export const secretNames = String.raw`(?:(?<!\p{L})(?:(?:pass-?)?codes?|passcodes?|c[óo]digos?|digits?|characters?|sequence|value|ziffern\p{L}*|zahl(?:en\p{L}*)?|zeichenfolge|\p{L}*-?code|wert|schlüssel|kennwort|passwort|chiffres?|nombre|cl[ée]s?|clave|contrase[ñn]a|cifras|d[íi]gitos|senha|palavra-passe|algarismos|token|password|mot\s+de\s+passe|firma|llave|chave|key)(?!\p{L})|コード|数字|キー|文字|パスワード|暗証番号|码|碼|密码|密碼|口令|数字|數字|代码|代碼|字符|值)`;

/**
 * Names of a secret that are rarely used for anything else. They are case-sensitive, because Spanish has the word
 * `tan`.
 */
export const secretAcronyms = String.raw`(?:\p{L}+-?)?(?:PIN|TAN|OTP|TOTP|OTC)`;

/** Words for a number that opens a lock, names a purchase or joins a call, and not an account. */
export const otherThings = anyOf(
  wholeWords(
    String.raw`dial(?:ling|-in)?|conference|meetings?|webinar|zoom|webex|teams|host|pick-?\s?up|parcels?|package|locker|lock\s?box|doors?|gates?|garage|alarm|wi-?fi|wlan|coupons?|promo\w*|discount|voucher|gift|raffle|draw|check(?:ing)?-?\s?in\s+(?:opens|desk|time)|check-?out|checkout|boarding|flights?|bar-?code|invoices?|tracking|shipments?|shipped|deliver(?:y|ed)|booking|reservation|orders?\s+(?:#|no|number|\d)|tickets?|seat|bib|permit|serial|warranty|library|patient|insurance|claim|referral|projector|build|commit|pull\s+request|issue|chapter|delivery|keypad|storage\s+unit|meter|your\s+application`,
    String.raw`einwahl|telefonkonferenz|besprechung|packstation|abhol\p{L}*|paket\p{L}*|schließfach|haustür|tür\p{L}*|w-?lan|gutschein\p{L}*|rabatt|gewinnspiel|losnummer|bordkarte|rechnung\p{L}*|sendung\p{L}*|lieferung|buchung\p{L}*|bestell\p{L}*|retoure\p{L}*|kurs\p{L}*|zimmer|schaden\p{L}*|zählerstand|postleitzahl|garantie|alarmanlage|moderator\p{L}*|verwendungszweck|zähler|kasse|versandkosten\p{L}*|tastenfeld|lagerbox`,
    String.raw`audioconférence|réunion|colis|relais|casier|porte|portail|wi-?fi|promo\p{L}*|réduction|remise|tombola|tirage|embarquement|facture|suivi|livraison|réservation|commande|billets?|retour|sinistre|immeuble|garantie|alarme|animateur|dossier|livraison\s+gratuite|compteur|garde-meuble|clavier|webinaire`,
    String.raw`audioconferencia|reuni[óo]n|paquete|recogida|taquilla|puerta|portal\s+del|wi-?fi|promocional|descuento|cup[óo]n|sorteo|embarque|factura|env[íi]o|reserva|pedido|entradas?|devoluci[óo]n|p[óo]liza|garant[íi]a|alarma|moderador|env[íi]o\s+gratis|contador|trastero|teclado|concepto|webinar`,
    String.raw`audioconfer[êe]ncia|reuni[ãa]o|pacote|encomenda|retirada|levantamento|cacifo|arm[áa]rio|porta|port[ãa]o|wi-?fi|promocional|desconto|cupom|cup[ãa]o|sorteio|rifa|embarque|fatura|boleto|rastreio|reserva|pedido|ingressos?|devolu[çc][ãa]o|ap[óo]lice|garantia|alarme|anfitri[ãa]o|frete|contador|teclado|dep[óo]sito|webinar`,
    String.raw`riunione|videoconferenza|pacco|ritiro|armadietto|porta|cancello|wi-?fi|promozional\p{L}*|sconto|estrazione|imbarco|fattura|spedizione|prenotazione|biglietto|reso|polizza|garanzia|allarme|contatore|tastierino|webinar|documento\s+condiviso`,
    String.raw`vergadering|videogesprek|pakket\p{L}*|afhaal\p{L}*|kluisje|deur|poort|wi-?fi|korting\p{L}*|actiecode|loterij|instapkaart|factuur|zending|levering|reservering|retour|polis|alarm|meterstand|webinar`,
  ),
  "会議|ミーティング|宅配|荷物|受取|受け取り|ロッカー|ドア|玄関|Wi-?Fi|クーポン|割引|抽選|搭乗|請求書|配送|予約|注文|チケット|返品|号室|証券番号|保証|送料|検針|メーター|テンキー|ウェビナー|お振込の際|申し?込み?|受付",
  "会议|會議|包裹|快递|取件|提货|储物柜|柜|门禁|门锁|Wi-?Fi|优惠|折扣|抽奖|登机|发票|物流|预约|预订|订单|訂單|车票|退货|教室|保单|兑换|停车|主持人|运费|運費|抄表|表号|键盘|讲座|备注|備註|受理|申请|申請",
);

/** Requests to keep a secret or to change it, in other words than `keepSecret`. */
export const keepClose = anyOf(
  String.raw`keep\s+(?:it|this|them)(?!\p{L})|(?:anyone|whoever|someone)\s+(?:who\s+has|with|holding)|we\s+(?:will\s+|['’]ll\s+)?never\s+(?:phone|call|ask|text)|change\s+(?:it|this)\s+(?:after|once|when|at)|dies\s+in|sharing\s+it`,
  String.raw`bewahren?\s+sie|niemals|niemandem|nicht\s+(?:weiter|zeigen)|(?:nach|bei)\s+(?:dem|der)\s+ersten\s+\p{L}+|nur\s+im\s+\p{L}+banking`,
  String.raw`ne\s+(?:le|la|les)\s+(?:montrez|donnez|dites)|à\s+personne|jamais|quart\s+d['’]heure|demi-heure|première\s+connexion`,
  String.raw`no\s+(?:se\s+)?(?:lo|la)?\s*(?:facilit|dig|dé|muestr|ense)\p{L}*|a\s+nadie|nunca|gu[áa]rdal[oa]|c[áa]mbial[oa]|lejos\s+de`,
  String.raw`n[ãa]o\s+(?:o\s+|a\s+)?(?:conte|diga|mostre|revele|passe)|a\s+ningu[ée]m|nunca|jamais|troque-a|vale\s+por`,
  "教えない|見せない|秘密|第三者|他人",
  "不要(?:让|讓|告)|切勿|勿(?:泄|告|转|轉)|任何人|被盗|转发",
);
