import { withRanges } from "../letters.ts";
import { moreConcepts } from "./more-concepts.ts";
import { koreanArabicConcepts, rareConcepts } from "./rare-concepts.ts";

/**
 * Concepts that decide whether a value opens an account, each with its words in English, German, French, Spanish,
 * Portuguese, Italian, Dutch, Japanese and Chinese. The weight of a concept is learned from all languages together.
 * Words have no accents. A word matches the beginnings of words. A word with `$` matches whole words only, and a word with
 * `~` also matches inside compounds.
 */
const concepts: Readonly<Record<string, string>> = {
  code: "code$|codes$|~code|codigo|kode$|コード|代码|代碼|码|碼|passcode|codice|cod$|codici|toegangscode|kod$|kodu$|kodem$|kody$|kodow$",
  pin: "pin$|pins$|~pin$|puk$|暗証番号|口令|pinu$",
  tan: "tan$|mtan|~tan$|tans$|otp$|otps$|totp|otc$|phototan|pushtan|photo-tan",
  password:
    "password|passwort|kennwort|contrasena|senha|passe$|passphrase|passwd|pwd$|~passwort|~kennwort|パスワード|密码|密碼|mdp$|wachtwoord|~wachtwoord|paroladordine|hasl",
  key: "key$|keys$|schlussel|~schlussel|cle$|cles$|clef|clave|claves|llave|chave|キー|鍵|密钥|密鑰|金鑰|keyphrase|phrase|frase$|フレーズ|助记词|助記詞|mnemon|seed$|chiave|chiavi|sleutel|~sleutel|parole$|woorden$|wachtwoordzin",
  digits:
    "digit$|digits$|ziffer|~ziffer|zahl$|zahlen$|chiffre|cifra|algarism|digito|数字|數字|桁|位数|位數|位|character|zeichen|~zeichen|caracter|文字|字符|letters|buchstab|lettres|letras|cifre$|numeri$|caratteri|cijfer|~cijfer|getal|tekens|lettere|cyfr|znak",
  number:
    "number$|numbers$|nummer|~nummer|numero|nr$|no$|nro$|n$|num$|番号|号码|號碼|号|號|nummers|numer",
  link: "link$|links$|~link$|lien|liens|enlace|链接|連結|鏈接|リンク|url$|button|knopf|schaltflache|bouton|boton|botao|ボタン|按钮|按鈕|網址|网址|collegamento|pulsante|knop$|~knop|przycisk|odnosnik",
  click:
    "click|clic$|klick|cliquez|clique|clicca|pulsa$|pulse$|haz$|tap$|tippen|hier$|here$|below$|ici$|aqui$|クリック|タップ|点击|點擊|点此|點此|點選|こちら|ci-dessous|unten|abajo|abaixo|以下|下記|following|folgend|suivant|siguiente|seguinte|cliccare|fai$|tocca|klik|tik$|qui$|seguente|sotto$|volgende|hieronder|onderstaande|klikn|ponizsz|ponizej",
  enter:
    "enter|entering|type$|typing|input|submit|paste|eingeb|eingib|gib$|gebe$|geben$|eintipp|tipp|eintrag|saisi|entrez$|tapez|taper|composez|recopi|renseign|introdu|ingres|escrib|teclea|inser|escreva|digite|digitar|informe$|preench|入力|输入|輸入|填写|填寫|填入|键入|鍵入|打ち込|~tippen|~geben|~gegeben|key$|reportez|inseri|inserisci|inserirlo|digita|scrivi|riporta|incolla|trag$|trage$|tragen$|trags$|marca$|marque$|anota|copiez|recopie|riscriv|druk$|voer$|invoer|ingevo|typ$|typt|toets|vul$|invul|invullen|ingeven|opgeven|geef$|voert|wpisz|wpisac|podaj|wprowadz",
  use: "use$|using$|verwend|nutz|benutz|utilis|usa$|usar$|uselo|usalo|utilice|お使い|使用|用于|用於|用いて|with$|mit$|avec$|con$|com$|usare|utilizza|gebruik|gebruikt|met$|uzyj$|uzyc$",
  reply:
    "reply|respond|antwort|repond|respuest|responda|responde|返信|回复|回覆|rispondi|rispondere|antwoord|beantwoord",
  here: "your$|ihr$|ihre$|dein$|deine$|votre|ton$|tu$|su$|seu$|sua$|teu$|您的|你的|あなたの|您|お客様の|voici|il$|tuo$|tua$|suo$|vostro|ecco|je$|jouw|uw$|jullie|twoj|panstwa",
  is: "is$|are$|lautet|ist$|sind$|est$|es$|e$|sont$|son$|は|が|为|為|是|sono|zijn|luidt|jest$|brzmi$|to$",
  signin:
    "signin|sign$|signing|login|logon|log$|logging|anmeld|anzumeld|einlogg|einzulogg|connexion|connecter|connectez|connect$|sesion|sessao|session|ログイン|サインイン|登录|登入|登錄|logar|~anmeld|~login|accedi|accesso|acceder|inloggen|aanmelden|ingelogd|inlog|~inlog|aangemeld|aanmeld|~aanmeld|logowan|zalogow|zaloguj|wylogow",
  access:
    "access|zugang|zugriff|acces$|acceder|accedez|accede|acceso|acesso|acessar|aceder|アクセス|访问|存取|entrar$|entra$|entre$|hineinkomm|zutritt|portal|espace|portail|area$|~zugang|accesso|accedere|entrare|toegang|~toegang|toegangs|portale|portaal|omgeving|dostep",
  verify:
    "verif|bestatig|~bestatig|pruf|uberpruf|valid$|valider|validez|validar|validat|comprob|認証|验证|驗證|校验|核实|検証|核驗|verificac|verific|controlla|valida|convalid|verifieer|verificatie|geverifi|controleer|controleren|weryfik|sprawdz",
  confirm: "confirm|確認|确认|確定|确定|conferm|bevestig|~bevestig|potwierd|potwierdz",
  auth: "authent|autentic|authenti|authoris|authoriz|認証|认证|twofactor|factor|faktor|facteur|etapas|pasos|mfa$|2fa$|二段階|两步|双重|雙重|2段階|fattori|passaggi|verificazione|tweestaps|tweefactor|stappen|authenticatie",
  identity:
    "identi|yourself|本人|身份|身分|really$|wirklich|ausweis|実名|实名|identita|proprio$|davvero|echt$|jezelf|uzelf|bent$|identiteit|sei$|tozsam",
  approve:
    "approv|autoriz|freigab|freigeb|genehmig|zulass|autoris|aprob|aprueb|aprov|承認|許可|授权|授權|批准|允许|允許|allow$|permit|erlaub|release|liberar|autorizz|consent|permett|sblocca|goedkeur|toestaan|toestem|machtig|vrijgeven|akkoord|zatwierd|autoryz",
  device:
    "device|browser|computer|laptop|gerat|geraet|rechner|handy|smartphone|appareil|navigateur|ordinateur|dispositivo|navegador|ordenador|movil|celular|aparelho|computador|telemovel|端末|デバイス|ブラウザ|设备|設備|裝置|浏览器|瀏覽器|電腦|电脑|手机|手機|tv$|fernseher|tele$|television|televis|console|konsole|phone$|iphone|android|windows|macbook|テレビ|电视|电脑|~gerat|watch$|uhr$|montre|reloj|dispositiv|telefono|cellulare|apparaat|toestel|telefoon|tablet|pc$|televisore|tv's|orologio|horloge|urzadzen|telefon|przegladark",
  pair: "pair$|pairing|paired|linking|verbind|verknupf|koppel|associ|jumel|vincul|emparej|asoci|conect|parear|連携|ペアリング|绑定|綁定|配对|配對|relier|associa|collega|abbina|gekoppeld|verbinden",
  account:
    "account|konto|compte$|comptes|cuenta|conta$|contas$|profil|perfil|アカウント|账号|帐号|账户|帳號|帳戶|賬號|賬戶|wallet|vault|coffre|~konto|~kontos|benutzer|user$|username|usuario|utilisateur|conto$|profilo|rekening|~rekening|accounts|utente|gebruiker|~gebruiker|gebruikersnaam|profiel|konto$|konta$|koncie$|kontem$",
  lock: "lock$|locked|unlock|gesperrt|entsperr|sperr|bloque|debloq|bloqu|bloc$|verrou|desbloq|ロック|锁定|解锁|鎖定|解鎖|冻结|凍結|suspend|blocca|bloccat|sblocc|geblokkeerd|deblokk|blokk|vergrendel|ontgrendel|zablok|odblok",
  reset:
    "reset|zurucksetz|zuruckzusetz|zuruckgesetz|reinit|restab|redefin|再設定|リセット|重置|重设|重設|reimposta|ripristin|resett|opnieuw$|herstel|instellen|zresetuj|resetow",
  forgot:
    "forgot|forget|vergess|oubli|olvid|esquec|忘れ|忘记|忘記|找回|lost|verlor|perdu|perdid|dimentic|smarrit|pers$|perso$|vergeten|kwijt|zapomn",
  recover:
    "recover|wiederherst|recuper|recup|reaktivier|reactiv|復元|恢复|恢復|復旧|backup|recovery|secours|respaldo|notfall|emergency|rescue|リカバリー|バックアップ|备用|備用|备份|備份|救援|ripristino|emergenza|riserva|herstel|herstelcode|back-up|noodcode|nood|reserve|odzysk|zapasow",
  onetime:
    "onetime|einmal|~einmal|unique$|unico|unica|ワンタイム|一次性|動態|动态|動態|once$|single$|temporary|temporar|vorlaufig|ubergang|provisoire|provisional|provisori|temporal|tempora|仮|临时|臨時|initial|initiale|anfang|start-|erst-|初期|初始|magic|magisch|magiq|magico|magica|マジック|魔法|passwordless|temporane|provvisori|monouso|iniziale|volta$|tijdelijk|eenmalig|voorlopig|begin$|eerste|jednoraz|tymczas",
  expire:
    "expir|gultig|ablauf|ablauft|lauft|valable|valido|valida$|valide$|vence|caduca|valid$|有効|有效|期限|失效|过期|過期|duration|gilt$|dauer|validade|validite|vigencia|scade|scadenz|valida|validita|verloopt|vervalt|geldig|~geldig|verlopen|vervallen|wygas|wazny|wazne|waznosc",
  minutes:
    "minut|min$|分間|分钟|分鐘|分以内|分内|hour|stunde|heure|hora$|horas$|時間|小时|小時|segund|second|sekund|minuti|ore$|ora$|minuten|uur$|uren$|secondi|seconden|godzin|sekund",
  share:
    "share|weiterg|teilen|partag|communiqu|compart|divulg|partilh|教え|共有|告诉|告訴|泄露|洩漏|洩露|告知|转发|轉發|透露|提供给|reveal|tell$|give$|verrat|mitteil|revel|facilit|comparta$|disclos|forward$|condivid|comunic|rivel|dare$|dire$|deel$|delen|geef$|vertel|doorgeven|doorstuur|udostepn|przekaz",
  anyone:
    "anyone|anybody|nobody|niemand|personne|nadie|ninguem|誰|任何人|他人|第三者|others|dritte|tiers|terceros|terceiros|employee|staff|mitarbeiter|工作人员|nessuno|chiunque|terzi|personale|iemand|medewerker|anderen|nikomu|nikt",
  never:
    "never|nie$|niemals|jamais|nunca|勿|切勿|不要|请勿|請勿|しないで|ないでください|ません|don't|dont$|ne$|pas$|no$|nao$|nicht$|keine$|kein$|mai$|non$|nooit|niet$|geen$",
  ignore: "ignor|無視|忽略|心当たり|覚え|disregard|igno|delete|this|ignora|negeer|negeren|trascura",
  requested:
    "request|requested|angefordert|anford|beantrag|demande|solicit|pedid|peticion|请求|請求し|申请|リクエスト|asked|gebeten|pediste|pediu|richiest|richied|aangevraagd|vraag$|vroeg$|gevraagd|verzoek|aanvraag|hai$|chiesto",
  notyou:
    "wasn't|didn't|you're|was$|wer$|initiated|本人操作|非本人|si$|falls|wenn|if$|caso$|如果|如非|若|もし|se$|altrimenti|jij$|als$|indien",
  attempt:
    "attempt|versuch|tentative|intento|tentativa|試み|尝试|嘗試|detect|erkannt|検出|检测|unknown|unbekannt|inconnu|desconocid|desconhecid|nouvel|nouveau|nuevo|novo$|nova$|new$|neue|neuer|neues|新しい|新|tentativ|nuovo$|nuova$|sconosciut|rilevat|poging|nieuw$|nieuwe$|onbekend|gedetecteerd|herkend",
  payment:
    "payment|pay$|zahlung|~zahlung|uberweis|~uberweis|bezahl|paiement|virement|pago$|pagamento|transfer|pix$|支払|振込|決済|送金|支付|转账|轉帳|付款|汇款|匯款|transaction|transakt|operacion|operation|operacao|取引|交易|beneficia|payee|dauerauftrag|lastschrift|bonifico|pagare|transazione|beneficiario|trasferimento|betaling|~betaling|overboek|betaal|betalen|begunstigde|transactie|incasso",
  bank: "bank|~bank|banque|banco|銀行|银行|sparkasse|card$|karte$|~karte|carte$|tarjeta|cartao|カード|卡|debit|credit|kredit|securebank|banking|banca|bancario|carta$|bankieren|pas$|bankpas|creditcard|kaart$|~kaart",
  activate:
    "activ|aktiv|freischalt|freizuschalt|ativ$|ativar|ativac|ative|有効化|激活|启用|啟用|開通|开通|attiv|activeer|activer|activatie|geactiveerd",
  register:
    "regist|inscri|signup|cadastr|登録|注册|註冊|erstell|angelegt|anlegen|creer|creez|crear|criar|criada|creado|created|create|作成|創建|创建|welcome|willkommen|bienven|bem-vind|ようこそ|欢迎|歡迎|join$|setup|einricht|registr|iscriv|iscrizione|creato|creata|benvenut|registreer|aangemaakt|aanmaken|welkom|crea$|maak$",
  email:
    "email|mail$|adresse|address|adress|correo|courriel|endereco|direccion|メール|邮箱|郵箱|邮件|郵件|信箱|アドレス|mailbox|postfach|inbox|posta$|casella|indirizzo|e-mailadres|adres",
  proceed:
    "continu|fortfahr|fortzu|weiter$|poursuiv|seguir|prosseguir|続|继续|繼續|proceed|finish|complet|abschliess|terminer|terminez|terminar|conclu|完了|完成|abzuschliess|finaliz|continua|prosegu|termina|concludere|doorgaan|verder|afronden|voltooi|ga$",
  choose:
    "choose|wahl$|wahlen|choisi|elige|elegir|escolh|festleg|festzuleg|defini|vergeb|setze$|set$|设置|設定|设定|scegli|impost|kies$|kiezen|stel$|instellen",
  app: "app$|application|appli|aplicacion|aplicativo|アプリ|应用|app's|website|webseite|site$|サイト|网站|網站|applicazione|sito$",
  screen:
    "screen|page$|tab$|window|bildschirm|seite$|ecran|pagina|pantalla|tela$|画面|页面|頁面|屏幕|prompt|feld|champ|campo|form$|formular|formulaire|schermata|schermo|finestra|campo$|modulo|scherm|veld|venster|fenster|fenetre|ventana|janela",
  invite:
    "invit|einlad|einladung|convi|招待|邀请|邀請|family|famil|家庭|家族|invito|invita|uitnodig|famiglia|gezin",
  security:
    "securit|sicher|seguran|segurid|seguro$|セキュリティ|安全|schutz|protect|protection|sicurezza|protegg|beveilig|veilig|~veilig",
  parental:
    "parental|eltern|kinder|kind$|parent|child|enfant|hijo|filho|保護者|家长|家長|子ども|お子|genitor|figli$|minori|ouder|ouderlijk",
  delete:
    "delet|losch|supprim|elimin|exclu$|excluir|apagar|削除|删除|刪除|注销|elimina|cancella|chiud|verwijder|opheffen",
  sms: "sms$|texto|torpedo|ショートメッセージ|短信|簡訊|sms",
  order:
    "order$|orders$|bestell|~bestell|commande|pedido|encomend|注文|订单|訂單|purchase|kauf$|einkauf|achat|compra|購入|购买|shop|boutique|tienda|loja|cart|warenkorb|ordine|ordini|acquisto|comprato|negozio|carrello|bestelling|~bestelling|bestelnummer|aankoop|winkel|besteld",
  parcel:
    "parcel|package|paket|~paket|sendung|~sendung|colis|paquete|pacote|荷物|包裹|快递|快遞|配達|配送|deliver|liefer|livrais|livre$|entrega|envio|versand|ship|shipped|shipment|shipping|track$|tracking|suivi|seguimiento|rastre|追跡|追踪|发货|發貨|発送|物流|伝票|运单|運單|carrier|courier|fahrer|driver|dhl$|ups$|dpd$|pacco|spedizione|consegn|corriere|spedito|tracci|pakket|~pakket|bezorg|zending|lever|verzend|verzonden|levering|ontvangst|postnl",
  pickup:
    "pickup|abhol|retrait|retirer|recogida|recoger|recolh|受取|取件|自提|locker|packstation|schliessfach|casier|taquilla|cacifo|cacifre|ロッカー|柜|counter|schalter|comptoir|guichet|mostrador|balcao|ritiro|ritirare|sportello|armadietto|ophalen|afhaal|afhalen|ophaal|balie|kluis$",
  invoice:
    "invoice|rechnung|~rechnung|facture|factura|fatura|請求書|ご請求|发票|發票|账单|帳單|receipt|quittung|beleg|~beleg|recu$|recibo|領収|收据|statement|auszug|~auszug|releve|extrato|extracto|boleto|payslip|gehalt|nomina|holerite|fattura|ricevuta|bolletta|estratto|factuur|~factuur|kassabon|bon$|nota$|afschrift|loonstrook|cedolino",
  amount:
    "eur$|usd$|gbp$|euro|total|betrag|~betrag|montant|importe|valor$|金額|金额|円|元|steuer|tax$|impot|imposto|impuesto|price|preis|prix|precio|preco|iva$|vat$|refund|erstatt|rembours|reembol|importo|totale|prezzo|imposta|rimborso|bedrag|totaal|prijs|btw$|belasting|terugbetal",
  booking:
    "booking|reserv|buchung|~buchung|gebucht|予約|预订|預訂|预约|預約|hotel|flight|flug|flug|vol$|vuelo|voo$|便|航班|train$|zug$|tren$|trem$|列車|火车|boarding|bordkarte|embarqu|搭乗|登机|fahrkarte|billet|entrada|ingresso|チケット|票|ticket$|tickets$|trip|reise|voyage|viaje|viagem|pnr$|prenot|volo$|treno|biglietto|viaggio|albergo|imbarco|reserver|boek$|boeking|vlucht|trein|kaartje|hotel$|reis$|vertrek|partenza|binario|spoor$|instapkaart",
  room: "room$|zimmer|raum$|chambre|salle|habitacion|sala$|quarto|部屋|号室|会議室|房间|seat|sitz|siege|asiento|assento|座席|座位|row$|reihe|table$|tisch|mesa$|section|aula$|halle|stand$|platz|stanza|camera|posto$|posti|fila$|tavolo|kamer|zaal|stoel|rij$|tafel|zitplaats|aula",
  meeting:
    "meeting|besprech|reunion|reuniao|会議|会议|會議|zoom$|teams$|webex|meet$|dial$|dial-in|einwahl|conference|konferenz|~konferenz|conferenc|audioconf|電話会議|webinar|join$|beitret|rejoindre|rejoignez|unirse|unete|参加|加入|host$|moderator|anfitri|participant|teilnehm|主持|riunione|conferenza|partecip|chiamata|vergader|deelnem|ospite|bijeenkomst|overleg",
  appointment:
    "appointment|termin|~termin|rendez|cita$|consulta|日程|挂号|掛號|agenda|calendar|kalender|calendrier|doctor|arzt|medecin|medico|診察|診療|就诊|impf|vaccin|vacun|appuntament|visita|calendario|afspraak|~afspraak|dokter|arts$|vaccinatie|ambulatorio",
  door: "door|tur$|haustur|porte$|puerta|porta$|portao|gate$|tor$|alarm|garage|garagen|ドア|门|門|门禁|wifi|wlan|wi-fi|guest|gast|invitado|network|netz|netzwerk|reseau|red$|rede$|router|ネットワーク|网络|網絡|keypad|safe$|tresor|lockbox|immeuble|building|gebaude|解錠|开门|porta|portone|cancello|allarme|ospiti|rete$|deur|~deur|poort|gasten|netwerk|tastierino|serratura|slot$|cassaforte",
  coupon:
    "coupon|promo|gutschein|~gutschein|rabatt|discount|voucher|reduc$|reduction|descuento|desconto|cupon|cupom|remise|クーポン|割引|优惠|優惠|折扣|gift$|geschenk|cadeau|regalo|presente|raffle|lottery|lotto|lotterie|loteria|tombola|sorteo|sorteio|rifa|抽選|抽奖|抽獎|save$|sparen|sale$|off$|offer|angebot|oferta|offre|checkout|kasse|sconto|buono|promozione|offerta|lotteria|estrazione|korting|~korting|kortingscode|actie$|aanbieding|bon$|loterij|prijsvraag|kassa|risparmi|bespaar",
  case: "case$|vorgang|dossier|expediente|caso$|案件|工单|工單|受付|support|hilfe|incident|inc$|helpdesk|reference|referenz|reference|referencia|ref$|aktenzeichen|問い合わせ|受理|claim|schaden|sinistre|siniestro|sinistro|complaint|antrag|anfrage|request-|pratica|riferimento|assistenza|richiesta|segnalazione|kenmerk|zaak$|melding|schade|ondersteuning|referentie|verzoek|ticket",
  serial:
    "serial|serien|seriennummer|serie|型番|序列|license|lizenz|licence|licencia|licenca|ライセンス|许可证|許可證|product|produkt|produit|producto|produto|製品|产品|產品|プロダクト|model$|modell|part$|artikel|article|sku$|warranty|garantie|garantia|保証|software|seriale|licenza|prodotto|garanzia|articolo|modello|licentie|serienummer",
  dev: "commit|build$|bug$|branch|merge|merged|pull|issue|repo|repository|release|patch|error$|fehler|erreur|错误|エラー|source$|quellcode|lines$|zeile|ligne|linea|deploy|version|api$|server|cve$|fix|fixed|log$|test$|tests$|dashboard|errore|riga|ramo|fout$|fouten|regel$|versie",
  phone:
    "tel$|telefon|telephone|telefono|telefone|call$|anruf|appel$|appelez|llam|ligu|ligar|電話|电话|電話|fax|mobil|hotline|rufnummer|ext$|chiamaci|chiama|numero|verde|bel$|bellen|belt|telefoonnummer|telefoonn",
  customer:
    "customer|kunden|~kunden|client$|cliente$|顧客|お客様番号|客户|客戶|member|mitglied|membre|miembro|socio|membro|会員番号|会員|patient|insurance|versicher|~versicher|assurance|seguro$|保険|保险|保險|student|matrik|employee|personal|policy|police|poliza|apolice|cliente|clienti|tessera|assicuraz|polizza|paziente|matricola|klant|~klant|lid$|lidmaatschap|verzeker|polis|personeel",
  newsletter:
    "newsletter|unsubscrib|abbestell|abmelden$|desabonn|desinscri|baja$|cancelar|配信停止|退订|退訂|subscri|abonn|suscri|assinatura|survey|umfrage|enquete|encuesta|pesquisa|アンケート|问卷|問卷|feedback|meinung|digest|iscrizion|disiscri|annulla|sondaggio|questionario|afmelden|uitschrijven|nieuwsbrief|abonnement",
  place:
    "zip$|postcode|postal|vorwahl|indicatif|prefijo|prefisso|area$|street|strasse|strase|rue$|calle|rua$|plz$|postleit|cp$|cep$|邮编|郵便|floor|etage|piso|andar|階|楼|office|buro|bureau|oficina|escritorio|parking|parkplatz|stationnement|aparcamiento|plate|kennzeichen|plaque|matricula|placa|km$|via$|viale|piazza|piano$|ufficio|cap$|parcheggio|targa|straat|~straat|laan$|postcode|verdieping|kantoor|parkeer|parkeren|kenteken",
  course:
    "course|kurs|~kurs|cours$|curso|講座|课程|課程|exam$|prufung|examen|exame|試験|考试|考試|chapter|kapitel|chapitre|capitulo|class$|klasse|classe|教室|school|schule|ecole|escuela|escola|training|schulung|formation|corso|esame|capitolo|scuola|lezione|cursus|les$|tentamen|hoofdstuk|college|toets$",
  stat: "percent|prozent|pourcent|fallen$|cas$|casos|件|report|bericht|rapport|informe|relatorio|study|studie|etude|estudio|estudo|article|artikel|articulo|artigo|members|followers|views|points|punkte|miles|meilen|积分|ポイント|percento|casi$|rapporto|studio|punti|procent|gevallen|verslag|punten|onderzoek",
  changed:
    "changed|geandert|modifie$|modifiee|cambiad|alterad|changement|変更されました|已修改|已更改|successful|erfolgreich|updated|aktualisiert|更新|noticed|festgestellt|登录提醒|done|erledigt|modificat|cambiat|aggiornat|effettuat|gewijzigd|veranderd|bijgewerkt|gelukt",
  ending:
    "ending|endet|endend|terminant|terminada|final$|末尾|尾号|尾號|last$|finisce|terminante|eindigt|eindigend|ultime|laatste",
  election:
    "bib$|startnummer|dossard|dorsal|号码布|ゼッケン|queue$|warteschlange|号码牌|順番|meter$|zahler|zahlerstand|compteur|contador|reading|stand|検針|voucher$|pettorale|coda$|turno|contatore|lettura|wachtrij|meterstand|volgnummer",
  temporary:
    "temporar|provision|provisor|provvisori|vorlaufig|vorerst|erstmal|initial|inicial|iniziale|starting$|start$|~erst|erstkennwort|erstpasswort|einstieg|tijdelijk|voorlopig|begin$|first$|premiere$|primer$|primeiro$|primo$|eerste$|ersten$|now$|standard|default|仮|初期|临时|臨時|初始|tymczasow",
  user: "user|username|benutzer|nutzer|~benutzer|kennung|utilisateur|identifiant|usuari|utente|gebruiker|login$|logins$|userid|id$|nom$|ユーザ|用户名|用戶名|社員番号|账号|帳號|uzytkownik",
  change:
    "change$|changing$|andern$|andere$|andert$|changez|changer|changes$|cambia$|cambiala|cambiar|cambiarla|cambialo|cambie|troca$|troque|muda$|mude$|mudar|altere|wijzig$|wijzigen|verander$|pas$|aanpassen|vervang|変更して|変更し|修改|更改|wlasne|own$|eigenes|eigene$|tuya$|tua$|zelf$|propria$|propia$",
  welcome:
    "welcome|willkommen|bienvenu|bienvenid|benvenut|bemvind|vindas|welkom|onboard|aboard|arrivee|ようこそ|入社|欢迎|歡迎|joining|einarbeitung|eintritt|erster$",
  wifi: "wifi$|wlan|~wlan|fi$|ssid|router|guest|gast$|gaste$|gasten|gastew|invite$|invitad|hospede|hospedes|ospiti|ospite|netzwerk|network|ferien|holiday|vacation|cottage|gite$|casa$|vakantie|appartement|apartment|wohnung",
  sim: "sim$|esim|simkarte|simkaart|chip$|tarjeta|karte$|carte$|carta$|cartao|kaart$|voicemail|mailbox|anrufbeantworter|messagerie|buzon|segreteria|puk$|puks$",
  example:
    "example|beispiel|exemple|ejemplo|exemplo|esempio|voorbeeld|例えば|例如|such$|etwa$|comme$|como$|come$|zoals$|at$|least$|mindestens|moins$|menos$|almeno$|minstens|rules$|regeln|must$|mussen|muss$|doit$|doivent|debe$|deben|devono|deve$|moet$|moeten",
  hurry:
    "hurry|quick|fast$|asap|schnell|beeil|flott|zugig|vite$|depech|rapid|apura|corre$|corra|presto$|fretta|sbriga|snel$|vlug|opschiet|haast|szybko|pospiesz|急|快点|快點|赶紧|趕緊|赶快|早く",
  arrived:
    "arrived|came$|got$|received|sent$|texted|says$|gekommen|geschickt|bekommen|erhalten|angekommen|gekriegt|recu$|recue$|envoye|arrive$|arriva$|llegado|llego|llega$|mandaron|recibi|chegou|recebi|mandaram|veio$|arrivato|arrivata|mandato|inviato|ricevuto|binnen$|gekregen|ontvangen|gestuurd|dostal|przysz|届|来た|来て|来ました|收到|发来|發來|刚发|剛發",
  tip: "tip$|tips$|tipp$|tipps|conseil|consejo|dica$|dicas$|consigli|scam|fraud|phish|betrug|arnaque|estafa|golpe|truffa|oplicht|newsletter|ratgeber|guide|詐欺|诈骗|fake|gefalsch",
  vote: "vote$|voting|voter$|ballot|poll$|polls$|abstimm|wahlen$|scrutin|votar|votacao|votacion|voto$|elezion|stemm|stembus|投票|glosow|голосов|rostning|rosta$|oylama|oyla$",
  api: "api$|apis$|schnittstelle|endpoint|webhook|developer|entwickler|developpeur|desarrollador|desenvolvedor|sviluppator|ontwikkelaar|token$|tokens$|jeton|开发者|開発者|接口|トークン|令牌",
  copied:
    "shown$|copy$|kopier|copiez|copiala|copiela|copie$|copia$|kopieer|kopiuj|skopiuj|скопир|kopiera|kopyala|コピー|复制|複製|angezeigt|sichtbar|affiche$|affichee|affichera|muestra$|mostrara|mostrada|mostra$|visibile|visivel|weergegeven|zichtbaar|pokazuj|показыва|visas$|gosteril|表示|显示|顯示",
  till: "till$|kasse$|kassen|caisse|caja$|caixa$|cassa$|kassa$|kasie$|kasy$|касс|kassan|kasa$|レジ|收银|operator|bediener|operateur|operatrice",
  adviser:
    "adviser|advisor|agent$|agents$|representative|colleague|berater|kollegin|conseill|asesor|atendente|operatore|consulente|medewerker|オペレーター|担当者|客服|konsultant|оператор|handlagg|temsilci",
  letin:
    "durchlass|durchzulass|laisser|laissez|passer$|let$|lassen$|lass$|dejar$|deja$|deixa$|deixe$|lascia|fallo$|laat$|wpusc|впуст|slapp|放行|通す",
  words:
    "words$|word$|worter|wort$|~worter|mots$|mot$|palabras|palabra$|palavras|palavra$|parole$|parola$|woorden|woord$|slowa$|slow$|слова$|слов$|kelime|合言葉|言葉|单词",
  points:
    "points$|punkte$|puntos$|pontos$|punti$|punten$|miles$|milhas|millas|meilen|poang|puan|балл|bonus|ポイント|积分|マイル|里程",
  results:
    "results$|result$|befund|ergebnis|resultat|resultado|analisis|exames|referti|uitslag|wyniki|результат|provsvar|sonuc|検査|检查|结果|結果",
  activity:
    "activity|activities|aktivitat|activite$|activites|actividad|attivita|atividad|activiteit|aktywnosc|активност|aktivitet|etkinli|アクティビティ|活动|活動",
  comment:
    "comment|mention|replied|kommentar|erwahn|geantwortet|commentair|comentari|mencion|respondio|coment|commento|commenti|menzion|risposto|opmerking|reactie|gereageerd|genoemd|thread|komentarz|wspomnia|коммент|упомян|omnamn|yorum|bahset|コメント|返信|评论|評論|提到",
  document:
    "document|folder|file$|files$|album|photo|datei|ordner|foto$|fotos$|dokument|unterlage|fichier|fichiers|classeur|documento|archivo|carpeta|ficheiro|pasta$|arquivo|cartella|bestand$|bestanden|map$|plik|folderu|файл|папк|mapp$|mappen|belge|dosya|ファイル|フォルダ|書類|文件|文档|文檔|相册|相簿",
  exclusive:
    "exclusi|exklusiv|esclusiv|privileg|redeem|einlos|cart$|basket|warenkorb|panier|carrito|cesta$|carrello|carrinho|sacola|winkelmand|winkelwagen|checkout|canje|resgat|riscatt|verzilver|inwissel|profite|scatta$|kampanj|koszyk|корзин|промокод|sepet|限定|専用|专属|專屬|专享|独家",
  subject:
    "subject$|betreff|~betreffzeile|objet$|asunto|assunto|oggetto|onderwerp|temat$|temacie|tytul|тема$|теме$|konu$|amne$|amnesraden|件名|主题|主題|标题|標題|タイトル",
  library:
    "library|libraries|barcode|barcodes|biblio|bucherei|buch$|bucher|book$|books$|livre$|libro|libri$|livro|boek$|boeken|exemplar|exemplaire|exemplaar|ejemplar|inventar|inventair|strichcode|barres$|barras$|barre$|streepjescode|magazine|zeitschrift|ksiazk|книг|kitap|図書|图书|圖書|バーコード|条码|條碼",
  server:
    "server$|servers$|host$|hostname|ssh$|root$|ftp$|vps$|database|datenbank|hosting|gateway|vpn$|serveur|servidor|domain|сервер",
};

/** Words of a text are decomposed, for example Korean syllables. */
const decomposed = (word: string): string =>
  /[^\0-\x7F]/.test(word) && !startsUnspaced.test(word)
    ? word.normalize("NFD").replace(/\p{M}/gu, "")
    : word;

const startsUnspaced = withRanges(String.raw`^[\p{Cjk}]`);

const longestWord = 14;
const longestUnspaced = 8;
/** Fewest characters of a word that may be a compound. */
const compoundFrom = 7;

export const conceptNames: readonly string[] = Object.keys(concepts);

type Table = Map<string, number[]>;
const whole: Table = new Map();
const beginning: Table = new Map();
const inside: Table = new Map();
const ending: Table = new Map();
const unspaced: Table = new Map();

for (const [at, name] of conceptNames.entries())
  for (const word of [concepts, moreConcepts, koreanArabicConcepts, rareConcepts].flatMap(
    (words) => words[name]?.split("|") ?? [],
  )) {
    const plain = decomposed(word.replace(/^~|\$$/g, ""));
    const isCompound = word.startsWith("~");
    const isEnd = word.endsWith("$");
    if (startsUnspaced.test(word)) put(unspaced, plain, at);
    else if (isCompound && isEnd) put(ending, plain, at);
    else if (isEnd) put(whole, plain, at);
    else put(beginning, plain, at);
    if (isCompound && !isEnd) put(inside, plain, at);
  }

/** For three letters, by `placeOf`, the tables with a word that may begin with them. Most parts of a word begin none. */
const startsIn = new Uint8Array(1 << 15);
const startBits = { beginning: 1, inside: 2, ending: 4 };
const letterCodes = 32;
for (const [table, bit] of [
  [beginning, startBits.beginning],
  [inside, startBits.inside],
  [ending, startBits.ending],
] as const)
  for (const word of table.keys())
    // A word of two letters may be followed by any character.
    for (let last = 0; last < (word.length < 3 ? letterCodes : 1); last += 1) {
      const place = placeOf(word, 0) + last;
      startsIn[place] = (startsIn[place] ?? 0) | bit;
    }

/** Returns a number of 15 bits for three characters of a word. */
function placeOf(word: string, at: number): number {
  return (codeAt(word, at) << 10) | (codeAt(word, at + 1) << 5) | codeAt(word, at + 2);
}

/** Returns 1 to 26 for a letter of ASCII, and 0 for any other character and behind the end. */
function codeAt(word: string, at: number): number {
  const code = at < word.length ? word.charCodeAt(at) - 0x60 : 0;
  return code >= 1 && code <= 26 ? code : 0;
}

function put(table: Table, word: string, concept: number): void {
  table.set(word, [...(table.get(word) ?? []), concept]);
}

/** Returns the concepts of a word in lower case without accents. */
export function conceptsOf(word: string): number[] {
  const found: number[] = [];
  const add = (ids: readonly number[] | undefined): void => {
    if (ids === undefined) return;
    for (const id of ids) if (!found.includes(id)) found.push(id);
  };
  add(whole.get(word));
  if (((startsIn[placeOf(word, 0)] ?? 0) & startBits.beginning) !== 0)
    for (let length = 2; length <= Math.min(longestWord, word.length); length += 1)
      add(beginning.get(word.slice(0, length)));
  if (word.length >= compoundFrom)
    for (let from = 1; from < word.length - 2; from += 1) {
      const starts = startsIn[placeOf(word, from)] ?? 0;
      if ((starts & startBits.ending) !== 0) add(ending.get(word.slice(from)));
      if ((starts & startBits.inside) === 0) continue;
      for (let length = 3; length <= longestWord && from + length <= word.length; length += 1)
        add(inside.get(word.slice(from, from + length)));
    }
  return found;
}

/** Returns the concepts of a text without spaces, in order. */
export function conceptsOfUnspaced(text: string): number[] {
  const found: number[] = [];
  for (let from = 0; from < text.length; from += 1)
    for (let length = 1; length <= longestUnspaced && from + length <= text.length; length += 1)
      for (const id of unspaced.get(text.slice(from, from + length)) ?? []) found.push(id);
  return found;
}
