/** Words of the concepts in Korean and Arabic, in the form that `concepts.ts` describes. Arabic words may have an article. */
export const koreanArabicConcepts: Readonly<Record<string, string>> = {
  code: "코드|번호는$|인증번호|인증코드|رمز|الرمز|رمزك|برمز|كود|الكود|رموز|الرموز",
  pin: "핀번호|비밀번호는$",
  password: "비밀번호|비번|암호|패스워드|المرور|مرور|السر",
  digits: "자리|숫자|أرقام|الأرقام|خانات",
  number: "번호|رقم|الرقم|برقم",
  link: "링크|버튼|주소|رابط|الرابط|زر|الزر",
  click: "클릭|누르|눌러|아래|انقر|اضغط|أدناه|هنا$",
  enter: "입력|넣어|적어|أدخل|ادخل|إدخال|اكتب|الصق",
  here: "고객님|회원님|귀하|الخاص|الخاصة",
  signin: "로그인|접속|تسجيل|الدخول|دخول|للدخول",
  verify: "인증|확인|본인|تحقق|التحقق|للتحقق|تأكيد|لتأكيد|التأكيد",
  account: "계정|회원|حساب|حسابك|الحساب|لحسابك",
  device: "기기|휴대폰|브라우저|جهاز|جهازك|الجهاز|متصفح|هاتف",
  reset: "재설정|초기화|إعادة|تعيين|استعادة",
  onetime: "일회용|임시|مؤقت|مؤقتة|لمرة|واحدة",
  temporary: "임시|초기|مؤقت|مؤقتة",
  expire: "유효|만료|صالح|صالحة|تنتهي|صلاحية",
  minutes: "분$|분간|분입|시간|دقائق|دقيقة|ساعة|ساعات",
  never: "마세요|마십시오|말아|لا$",
  share: "공유|알려|타인|تشارك|تشاركه|مشاركة|تخبر",
  anyone: "타인|누구|أحد|شخص",
  ignore: "무시|تجاهل",
  requested: "요청|طلبت|تطلب|طلبه",
  order: "주문|구매|결제|طلب$|طلبك|الطلب|متجر|شراء",
  parcel: "택배|배송|운송장|송장|شحنة|الشحنة|شحن|توصيل|طرد",
  pickup: "보관함|수령|픽업|استلام|الاستلام|خزانة",
  invoice: "청구서|영수증|명세|فاتورة|الفاتورة|إيصال",
  amount: "원$|금액|합계|المبلغ|مبلغ|ريال|درهم|دولار",
  booking: "예약|항공|좌석|승차|حجز|الحجز|رحلة|تذكرة",
  meeting: "회의|미팅|화상|اجتماع|الاجتماع|لقاء",
  appointment: "진료|접수|예약시간|موعد|الموعد|طبيب",
  coupon: "쿠폰|할인|프로모션|이벤트|적립|خصم|الخصم|قسيمة|كوبون|عرض$|هدية",
  exclusive: "쿠폰|할인|전용|혜택|خصم|الخصم|قسيمة|كوبون|حصري",
  changed: "변경되|변경됐|تغيير|تغييرها|تم$",
  door: "현관|출입|공동현관|باب|الباب|بوابة|البوابة|واي$|الواي|شبكة|الشبكة|ضيوف|الضيوف|للضيوف",
  wifi: "와이파이|손님|واي$|الواي|بالواي|شبكة|الشبكة|ضيوف|الضيوف|للضيوف|زوار|للزوار",
  customer: "고객번호|العميل|عميل",
  serial: "제품|상품|모델|시리얼|보증|منتج|المنتج|منتجات|صنف|الصنف|ضمان|ترخيص|موديل",
  case: "문의|접수번호|사건|민원|طلبكم|قضية|القضية|تذكرة|بلاغ|مرجع|المرجع|الدعم",
  newsletter: "뉴스레터|수신|구독|설문|نشرة|اشتراك|الاشتراك|استبيان",
  course: "강의|수업|시험|학교|دورة|درس|امتحان|مدرسة",
  phone: "전화|고객센터|هاتف|اتصل|اتصال",
  results: "결과|نتائج|نتيجة|النتائج",
  place: "우편번호|주소|층$|البريدي|شارع|طابق|موقف",
  payment: "결제|이체|송금|دفع|الدفع|تحويل|التحويل|حوالة",
  bank: "은행|카드|بنك|البنك|مصرف|بطاقة|البطاقة",
  subject: "제목|الموضوع|عنوان",
};

/**
 * Words of the concepts in Ukrainian, Bulgarian, Danish, Norwegian, Finnish, Hungarian, Czech, Croatian, Slovene, Romanian,
 * Greek, Hebrew, Persian, Hindi, Thai, Vietnamese, Indonesian and Baltic languages, in the form that `concepts.ts`
 * describes: without accents.
 */
export const rareConcepts: Readonly<Record<string, string>> = {
  code: "~kode$|~koden$|~koodi|~kood$|koodi|kood$|kodot|kodja|kodjat|kodom$|kodem$|kodas|kods$|koda$|kodo$|codul|κωδικ|קוד|הקוד|کد$|कोड|รหัส|коду$|кодом$|~קוד$|код$|~รหส|κωδικο|kodi$|kode$|codi$|kodas$",
  onetime:
    "engangs|~engangs|kertakaytto|egyszer|jednorazov|jednokrat|jednorazn|enkratn|μιας|חדפעמי|یکبار|ครงเดยว|vienkartin|vienreiz|uhekord|однораз|еднократ|חד$|פעמי|एकबर|однократ|једнократ|sekali$|einu$|kertakayt",
  verify:
    "bekraeft|bekreft|verifis|vahvist|~vahvistus|ellenorz|igazol|overov|overit|potvrd|potvrdu|potrdi|potrditv|verificare|επαληθ|επιβεβ|אימות|האימות|تایید|تأیید|सतयाप|ยนยน|pengesahan|verifikasi|patvirtin|apstiprin|kinnitus|stafest|egiaztapen|підтвер|перевір|потвърд|провер|потврд|לאימות|सतयप|पषट|xac$|thuc$|zkontrol|pengesah",
  confirm:
    "bekraeft|bekreft|vahvista|megerosit|jovahagy|potvrd|potrdite|confirmati|επιβεβαι|אישור|אשר|पषट|ยนยน|konfirm|patvirtin|apstiprin|kinnita|підтвер|потвърд|потврд|לאישור|אישורך",
  signin:
    "logge$|logger$|innlogg|~innlogging|kirjaud|kirjautu|bejelentk|belepes|belepesi|prihlas|prihlasen|prijav|autentific|συνδεσ|εισοδ|כניסה|הכניסה|התחבר|ورود|लगइन|เขาสระบบ|เขาส|masuk|prisijung|piesleg|sisselog|innskran|sarrera|увіити|увіид|вхід$|входу$|вход$|вписв|לכניסה|להתחבר|התחברות|להיכנס|היכנס|लगन|लग$|~เขาสระบบ|đang$|belep|bejelentkez|conect|kirjaudu|login$|пријав|mewngofnodi|logail|ingia$|kuingia",
  enter:
    "indtast|tast$|syota$|kirjoit|irja$|adja$|zadejte|zadajte|upisite|unesite|vnesite|introduceti|πληκτρολογ|εισαγετ|הזן|הקלד|दरज|กรอก|ใส|masukkan|iveskite|ievadiet|sisesta|nhap$|введіть|введи$|вкаж|въведет|унес|הזינו|הזיני|הקלידו|הקלידי|להזין|डल|भर|~กรอก|~ใส|zadej|zadat|introdu|kirjoita|syota|skriv$|isi$|isikan",
  never:
    "aldri$|ikke$|alkaa$|nikdy|nikomu|nemojte|nikad|ne$|μην$|אין$|אל$|नकर|หาม|jangan|khong$|nenurod|нікому$|ніколи|не$|никому|никога|לא$|ingen$|aldrig|soha$|niciodat|nimanui|koskaan|đung|कभ|~หาม",
  share:
    "jaa$|kerro$|adja$|ossza|sdelujte|zdielaj|dijelite|deliti|comunicati|divulgati|δωσετε|κοινοποι|למסור|לשתף|ندهید|साझा|เปดเผย|บอก|berikan|bagikan|kongsi|ibahagi|jaga$|повідомл|переда|споделя|казва|תמסר|תמסור|תשתפ|बतए|सझ|~บอก|chia$|rikej|sdelu|arulja|spune|kerro|oppgi",
  anyone:
    "noen$|muille|kenelle|masnak|senki|nikome|nikomur|nimanui|κανεναν|אחד$|لأحد|किसी|कस|ผอน|siapa|sinuman|niekam|nevienam|хтось|никого|איש$|לאיש|מישהו|nikomu|senkin|nimeni|kenellekaan|nogen$|κανεν",
  password:
    "adgangskod|passord|salasan|jelsz|zaporka|lozink|geslo|κωδικουπροσβ|συνθηματ|סיסמה|הסיסמה|رمز|पासवर|รหสผาน|sandi|slaptazod|parool|пароль|паролю|парола|лозинк|סיסמא|סיסמת|לסיסמה|पसवरड|~รหสผาน|khau$|heslo|hesla$|jelszav|jelszo|parola|salasana|kata$|sandi$|κωδικους",
  device:
    "enhed$|enhet$|laitteel|laite$|eszkoz|zarizen|uredaj|uredjaj|naprav|dispozitiv|συσκευ|מכשיר|ממכשיר|دستگاه|उपकरण|อปกรณ|perangkat|irengin|ierice|seade|пристр|телефон|устроиств|מכשירך|नय$|~อปกรณ|thiet$|keszulek|laittee|enhet",
  payment:
    "betaling|maksu|fizet|platb|placanj|placil|plata$|plati$|πληρωμ|תשלום|پرداخت|भगत|ชำระ|จายเงน|pembayaran|thanh$|toan$|mokej|maksaj|платеж|платіж|оплат|переказ|плащан|плаћањ|לתשלום|העברה|ההעברה|הרכישה|भगतन|~โอน|chuyen|giao$|fizetes|utalas|betal|bayar|transfer",
  expire:
    "udlob|utlop|voimassa|ervenyes|platnost|plati$|vrijedi|velja$|valabil|ισχυει|תקף|แบต|berlaku|galioja|derig|kehtib|діисн|діє$|валиден|важи$|בתוקף|मनय|वध|~ใชได|hieu$|erveny|gaelder|gjelder|ισχυ",
  minutes:
    "minuutt|perc$|percig|λεπτα|דקות|دقیقه|मनट|นาท|menit|phut$|minuci|хвилин|минут|דקה|מनट|~นาท|minut|λεπτ",
  order:
    "ordre$|ordren|~ordrenummer|tilaus|rendeles|objednav|narudzb|narocil|comanda$|comenzi|comenzii|παραγγελ|הזמנה|ההזמנה|سفارش|ऑर|ออเดอร|คำสงซอ|คาสงซอ|pesanan|uzsakym|pasutij|tellimus|pontun|eskaera",
  number:
    "szama|szam$|cislo|broj|stevilka|numarul|αριθμ|מספר|شماره|नबर|नंबर|หมายเลข|nomor|nombor|numeris|numurs|~numer",
  parcel:
    "pakke$|pakken|paketti|lahetys|csomag|zasilk|zasielk|posiljk|δεμα|αποστολ|חבילה|משלוח|مرسوله|पारसल|พสด|resi$|siunt|sutij|посилк|відправ|ттн$|пратк|пошиљк|משלוחים|שליח|डलवर|करयर|टरकग|~จดสง|giao$|zasil|balik|colet|livrar|toimitus|levering|forsendel|paket$|pengirim",
  invoice:
    "faktur|lasku$|szamla|faktura|racun|τιμολογ|חשבונית|फाचर|बिल|tagihan|saskait|rekin|arve$|рахунок|рахунк|квитанц|фактур|חשבוניות|לתשלום|बल$|~ใบแจง|đon$|factur|lasku|regning",
  case: "sagsnum|saksnum|sak$|ugy$|pripad|zadost|predmet|zadev|dosar|αιτημα|αιτηματ|פנייה|प्रकरण|tiket",
  temporary:
    "тимчас|временн|привремен|זמני|זמנית|असथय|~ชวคราว|tam$|docasn|ideiglen|kezdeti|temporar|valiaik|midlertid|sementara|προσωριν|ראשוני",
  reset:
    "скину|віднов|нулир|възстанов|איפוס|לאפס|शחזור|שחזור|रसट|बदलन|~ตงรหส|đat$|lai$|obnov|visszaall|beallit|reset|nollaa|vaihda$|nulstil|tilbakestill|ulang$|atur$|επαναφορ",
  link: "посилан|линк|връзк|קישור|לינק|लक|~ลงก|lien$|ket$|odkaz|hivatkoz|linkre$|legatur|linkki|lenke|tautan|συνδεσμ",
  click:
    "натисн|переид|щракн|לחצו|לחץ$|לחצי|कलक|यह|~คลก|~กด|bam$|nhan$|đay$|klikn|zde$|kattint|apasa|aici$|napsauta|tasta|tryk|trykk|klik$|πατησ|εδω$",
  account:
    "обліков|акаунт|сметка|профіл|חשבונך|לחשבון|החשבון|חשבון|खत|~บญช|tai$|khoan$|ucet|uctu|fiok|cont$|contul|tili$|tilisi|tilin$|konto$|akun$|λογαριασμ",
  app: "застосун|додатк|приложени|אפליקצ|ऐप$|ऐप|~แอป|aplikac|alkalmazas|aplicati|sovellu|appen$|aplikasi|εφαρμογ",
  bank: "банк|картк|карт|בנק|כרטיס|אשראי|बक|करड|~ธนาคาร|ngan$|banka|banky|karta|karty|kartya|cardul|banca|pankki|kortti|kortet|kartu|τραπεζ|καρτα",
  hurry:
    "швидше|швидко|скоріш|бързо|מהר|תמהר|जलद|jaldi|เรว|nhanh$|rychle|gyorsan|repede|akkia|skynd|cepat|γρηγορ",
  arrived:
    "приишл|отрима|надісл|доиде|получих|הגיע|קיבלת|שלחו|aaya$|आय|prisl|prisel|dostal|jott$|kaptam|primit|venit|tuli$|fikk$|barusan|ηρθε|μολις",
  change:
    "зміні|змінит|смени|промен|החליפ|להחליף|לשנות|बदल|~เปลยน|đoi$|zmen|zmente|valtoztas|schimba|vaihda|skift|bytt$|ganti$|αλλαξ",
  choose:
    "обер|задаит|задат|избер|בחרו|לבחור|לבחירת|बनन|~ตง|tao$|zvol|nastav|valass|alege|aseta$|valitse|vaelg|velg$|buat$|ορισ",
  door: "двер|під'ізд|домофон|врата|вход|לבניין|לדירה|הדלת|דלת|שער|לחניה|दरवज|गट|~ประต|dver|bran|ajto|kapu$|kapukod|usa|usii|poart|interfon|ovi$|ovikood|dor$|doren|porten|pintu|gerbang|πορτα|θυρα|κλειδ",
  wifi: "ваифаи|гост|רשת|אלחוט|ראוטר|אורחים|वईफई|महमन|ไวไฟ|hoste|chata|vendeg|oaspe|vieras|mokki|gaest|gjest|hytte|tamu$|επισκεπτ|ξενωνα",
  coupon:
    "знижк|промокод|купон|отстъпк|попуст|קופון|הנחה|מבצע|छट|कपन|ऑफर|~สวนลด|~โคด|giam$|slev|kupon|kedvezm|akcio|reducer|cupon|alennus|tarjous|rabat|tilbud|diskon|promo|εκπτωσ|κουπονι|zlav|popust",
  exclusive:
    "кошик|оформлен|касі|בקופה|भगतन|เงน|thanh$|kosik|pokladn|penztar|finaliz|kassalla|kassen$|bayar|ταμειο",
  booking:
    "бронюв|квиток|реис|потяг|резервац|הזמנת|טיסה|רכבת|कबगक|बकग|उडन|टकट|~จอง|~เทยวบน|đat$|chuyen|rezervac|vlak$|foglal|jarat|vonat|rezervar|zbor|tren$|varaus|varausn|juna$|booking|pemesanan|pesawat|κρατησ|πτησ",
  amount:
    "грн|гривн|сума$|суму$|лв$|סכום|שח$|रश|रपय|बट|~บาท|đong$|kc$|castk|osszeg|ft$|suma$|euroa|summa$|kr$|belob|belop|jumlah|ποσο",
  customer:
    "абонент|клієнт|договір|клиент|לקוח|מנוי|उपभकत|गरहक|~ลกคา|zakazn|klient|ugyfel|abonat|asiakas|kunde|kundenr|pelanggan|πελατ",
  pickup:
    "відділен|поштомат|видач|איסוף|נקודת|पकअप|~รบ|vydej|atvetel|ridicar|nouto|noutam|hente|udlever|ambil$|παραλαβ|преузим",
  appointment:
    "прииом|лікар|запис$|час$|לרופא|פגישה|डकटर|~นด|kham$|lekar|termin|orvos|idopont|programare|medic$|laakari|vastaanot|laege|timeav|dokter|ραντεβου|γιατρ",
  meeting:
    "зустріч|нарад|срещ|ישיבה|बठक|मटग|~ประชม|schuz|megbeszel|ertekez|sedint|intalnir|kokous|mode|mote|συναντησ",
  requested:
    "запит|запрос|поиска|ביקשת|ביקשתם|अनरध|~ขอ|yeu$|zadost|pozad|keres|kerte|solicit|pyysi|pyynto|anmod|forespor|minta$|ζητησ",
  register:
    "реєстр|зареєстр|регистр|הרשמה|להרשמה|पजकर|~สมคร|ky$|registr|regisztr|inregistr|rekister|oprett|daftar|εγγραφ",
  approve:
    "дозвол|одобр|אשרו|לאשר|सवक|~อนมต|duyet$|schval|jovahagy|aprob|hyvaksy|godkend|godkjenn|setuju|εγκριν",
};
