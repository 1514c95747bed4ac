/**
 * Words of the concepts in Polish, Russian, Swedish and Turkish, in the form that `concepts.ts` describes: without accents,
 * and with plain letters for those that Unicode does not decompose.
 */
export const moreConcepts: Readonly<Record<string, string>> = {
  code: "kodzie$|код$|кода$|коду$|кодом$|коды$|кодов$|кодами$|коде$|koden$|koder$|koderna|~kod$|~koden$|kodunuz|kodun|kodl|kodum",
  pin: "пин$|пинкод|пина$|пину$|pinkod|~pinkod",
  tan: "пуш$|отп$",
  password: "haslo|hasle|парол|losenord|~losenord|sifre|parolan|adgangskode|passord",
  key: "klucz|fraz|ключ|фраз|nyckel|~nyckel|nyckl|anahtar|ifadesi|ifade$",
  digits:
    "liter$|цифр|символ|букв|знаков|знака$|siffr|~siffrig|tecken|bokst|haneli|hane$|rakam|basamak|karakter|harf",
  number: "numer|номер|numara|numaran",
  link: "lacze$|przycisk|ссылк|кнопк|lank$|lanken|~lank$|~lanken|knapp|baglanti|buton|dugme",
  click:
    "nacisn|stukn|dotkn|tutaj|kliknij|нажм|нажат|кликн|перейд|переход|ниже$|здесь$|тапн|жми$|klicka|tryck|nedan|tikla|asagida|buraya|dokun",
  enter:
    "wpisz|wpisa|wprowadz|podaj$|podac$|wklej|przepisz|введи|ввод|ввести|вводит|вписа|впиши|впишит|укажи|указат|вставь|наберит|набери|вбей|ange$|anger$|anges$|skriv$|skriva$|skriver$|fyll|knappa|klistra|girin|giriniz|gireceg|girerek|girmen|yazin$|yaziniz|yapistir",
  use: "skorzyst|uzyw|использ|воспольз|anvand|kullan",
  reply: "odpowie|odpisz|odpowied|ответ|svara$|svar$|yanit|cevap",
  here: "twoja$|twoje$|twojego|panstwa|oto$|ваш|твой|твоя|твое|вот$|din$|ditt$|dina$|sizin|senin|iste$",
  is: "brzmi|to$|это$|lyder",
  signin:
    "loguj|zaloguj|logowan|вход$|входа$|входу$|входе$|войти|войд|вошл|вошел|входит|логин|авториз|залогин|logga|loggar|inlogg|~inlogg|~loggning|loggat|giris|oturum",
  access:
    "dostep|wejsc|wejdz|доступ|кабинет|atkomst|tillgang|tilltrade|erisim|eris$|erismek|erisin",
  verify: "weryf|sprawdz|провер|верифик|verifier|kontroller|dogrula",
  confirm: "potwier|подтвер|bekraft|onayla|onay$|onayi|teyit",
  auth: "uwierzyt|dwuetap|dwuskl|аутентиф|двухфактор|двухэтап|autentis|tvafaktor|tvasteg|iki$|faktorlu",
  identity: "tozsam|личност|identitet|kimlig|kimlik",
  approve: "zatwier|akcept|zezwol|zgod|разреш|одобр|соглас|godkan|tillat|onay|izin",
  device:
    "urzadzen|przegladark|komputer|telewizor|устройств|браузер|компьют|телефон|смартфон|планшет|телевиз|приставк|enhet|webblasar|~lasare|dator|mobil|platta|skarmen|cihaz|tarayici|bilgisayar|tablet|televizyon",
  pair: "sparow|polacz|podlacz|powiaz|привяз|сопряж|подключ|parkoppl|parkoppla|koppla|anslut|eslestir|bagla$|baglam",
  account:
    "kont$|kontem|profil|portfel|аккаунт|учетн|учетк|профил|кошелек|кошельк|kontot|~konto|~kontot|planbok|hesap|hesab|cuzdan",
  lock: "zablok|odblok|заблок|разблок|блокир|sparr|upplas|lasts$|kilit|engel|bloke",
  reset: "zresetuj|resetow|сброс|обнул|aterstall|nollstall|sifirla|yenile",
  forgot: "zapomn|zgubi|забы|потеря|утерян|glomt|tappat|borttapp|forlorat|unut|kaybet",
  recover:
    "odzysk|zapas|przywroc|rezerwow|восстан|резерв|запасн|atervinn|reservkod|sakerhetskop|aterstall|kurtar|yedek",
  onetime:
    "jednoraz|tymczas|однораз|временн|разов|engang|~engang|tillfallig|seferlik|kullanimlik|gecici",
  expire:
    "wazn|wygas|traci$|действ|истек|истеч|срок$|годен$|giltig|galler$|upphor|gecerli|suresi|dolar$|dolacak|sona$",
  minutes: "godz|минут|мин$|часа$|часов$|секунд|сутк|timm|minut|sekund|dakika|saat|saniye|dk$",
  share:
    "podawaj|ujawn|udostep|przekaz|pokazuj|сообщай|сообща|передав|показыва|пересыл|делит|говорит|dela$|delar$|lamna|uppge|beratta|avslo|paylas|soyle|vermey|iletmey",
  anyone:
    "nikomu|nikt|nikim|osobom|никому|никто|посторон|третьим|сотрудник|nagon|utomst|medarbet|kimse|baskas|calisan",
  never: "nigdy|nie$|не$|никогда|aldrig|inte$|asla$|hicbir|hic$|degil",
  ignore: "zignor|pomin|игнорир|проигнор|bortse|ignorera|dikkate$|gormezden|onemsemey",
  requested:
    "popros|prosb|poprosi|zadan|запрос|запраш|просил|попросил|begar|begart|efterfrag|istek$|istegi|isted|talep|talebi",
  notyou: "jesli|jezeli|если|siz$|sizseniz|eger$|degilsen|jestes",
  attempt:
    "proba$|probe$|probowa|nowy$|nowe$|nowego$|nowym$|nieznan|wykry|попыт|новый$|новое$|нового$|новом$|неизвест|обнаруж|forsok|nytt$|nya$|okand|upptack|deneme|yeni$|bilinmeyen|tespit",
  payment:
    "platn|przelew|zaplat|zaplac|transakc|платеж|оплат|перевод|списан|транзакц|betal|~betal|overfor|odeme|havale|eft$|islem",
  bank: "karta$|karty$|karte$|kart$|банк|карт|bank|kortet|~kort$|~kortet|banka|kartin|kartiniz|kartla",
  activate: "aktyw|актив|aktiver|etkin|aktif",
  register:
    "rejestr|zarejestr|utworz|zaloz|witaj|регистр|зарегистр|создан|создать|создал|skapa$|skapat|registrer|kayit|kaydol|olustur|hosgeld|uyelig",
  email: "poczt|skrzynk|почт|письм|адрес|ящик|mejl|epost|post$|e-post|posta|eposta",
  proceed:
    "kontynu|dokoncz|zakoncz|dalej$|продолж|заверш|законч|fortsatt|slutfor|vidare$|devam|tamamla|bitir",
  choose:
    "wybier|ustaw|ustal|выбер|выбрать|задай|задать|придум|установ|valj$|valja|secin$|belirle|ayarla",
  app: "aplikac|witryn|serwis|stroni|приложен|сайт|appen|webbplats|sajt|uygulama|sitesi",
  screen:
    "ekran|okn|okien|pole$|polu$|экран|страниц|окно$|окне$|поле$|skarm|sidan$|rutan$|faltet|sayfa|pencere|alanina",
  invite: "zapros|zaprasz|rodzin|приглаш|семь|семей|inbjud|bjud|familj|davet|aile",
  security: "bezpiecz|ochron|безопас|защит|saker|~saker|skydd|guvenlik|guvenli|korum",
  parental: "rodzic|dziec|родител|детск|ребен|foraldr|barn$|barnet|ebeveyn|cocuk",
  delete: "usun|usuw|skasow|удал|radera|silin|silme|silmek|kapat",
  sms: "смс|kisa$",
  order:
    "zamow|zakup|sklep|koszyk|заказ|магазин|покупк|корзин|bestall|~bestallning|butik|varukorg|siparis|magaza|alisveris|sepet",
  parcel:
    "paczk|przesyl|wysylk|wyslan|dostaw|kurier|sledz|inpost|посылк|достав|отправлен|трек|курьер|paket|~paket|leverans|frakt|sparning|postnord|forsandelse|kargo|teslimat|gonderi$|gonderin|takip",
  pickup:
    "odbior|odbierz|paczkomat|skrytk|okienk|выдач|пункт|самовывоз|постамат|ячейк|hamta|uthamt|ombud|skap$|teslim|dolap",
  invoice:
    "rachun|paragon|счета$|счете$|квитанц|чек$|чека$|накладн|faktur|~faktur|kvitto|rakning|makbuz|fis$|dekont",
  amount:
    "zl$|kwot|suma$|cena$|ceny$|zwrot|razem|pln$|руб|сумм|итого|цена$|налог|ндс|возврат|баланс|kronor|belopp|summa|moms$|pris$|aterbetal|tl$|tutar|toplam|fiyat|kdv|iade|lira",
  booking:
    "rezerw|bilet|pociag|podroz|wyjazd|odjazd|брон|рейс|билет|поезд|отел|гостин|посадоч|вылет|поездк|bokning|bokat|bokad|flyg|hotell|biljett|resa$|avgang|rezerv|ucus|otel$|seyahat",
  room: "pokoj|miejsce|rzad|stolik|stanowisk|комнат|зал$|зале$|место$|мест$|ряд$|столик|rum$|plats$|platsen|bord$|koltuk|masa$|salon",
  meeting:
    "spotkan|konferenc|dolacz|uczestn|встреч|конференц|созвон|совещан|вебинар|участ|mote$|motet|~mote|delta$|konferens|toplanti|katil|webinar",
  appointment:
    "wizyt|lekarz|kalendarz|szczep|прием|врач|календар|поликлин|lakare|vardcentral|besok|randevu|doktor|hastane|takvim",
  door: "drzwi|bram|furtk|domofon|garaz|klatk|sejf|двер|ворот|домофон|подъезд|калитк|гараж|сигнализ|dorr|porten|portkod|grind|larm|kapi$|kapisi|kapinin|garaj",
  coupon:
    "rabat|znizk|kupon|promoc|prezent|konkurs|скидк|промокод|купон|акци|подар|лотер|розыгр|rabatt|erbjud|indirim|kampanya|hediye|cekilis|firsat",
  case: "zglosz|sprawa$|sprawy$|wsparc|pomoc|szkod|sygnatur|заявк|обращен|поддержк|тикет|справк|arende|~arende|referens|destek|basvuru|referans|dosya|yardim",
  serial:
    "seryj|gwaranc|серийн|лиценз|продукт|товар|гарант|модел|артикул|licens|seri$|lisans|urun|tuote|tuotte|termek|produs|προιον|zbozi|tovar|barang|varenum|varekod|artikul|izdelek|proizvod|toode$|prece$|preke$|san$|מוצר|המוצר|उत्पाद|สินค้า|محصول|کالا",
  dev: "blad$|bledu|bledow|wersj|serwer|ошибк|сборк|версия|версии|релиз|коммит|сервер|felet|hata$|hatasi|surum|sunucu",
  phone:
    "dzwon|zadzwon|wewn$|infolini|звон|позвон|доб$|горяч|ringa|ring$|tfn|vaxel|samtal|arayin|cagri|dahili",
  customer:
    "klient|pacjent|ubezpiecz|umow|pesel|клиент|абонент|пациент|полис|страхов|договор|kund$|kunden|kundn|medlem|forsakr|anstall|musteri|uye$|sigorta|abone|ogrenci",
  newsletter:
    "wypis|subskr|ankiet|opini|отпис|рассыл|подпис|опрос|отзыв|nyhetsbrev|avregistr|prenumer|enkat|bulten|abonelik|anket",
  place:
    "ulic|ul$|pietro|biuro|индекс|улиц|ул$|этаж|офис|парков|проспект|gatan|~gatan|~vagen|vaning|parker|cadde|sokak|mah$|otopark|ilce",
  course:
    "lekcj|egzamin|rozdzial|szkol|wyklad|курс|урок|экзамен|глав|школ|лекц|занят|lektion|tenta$|kapitel|skola|dersi|sinav|okul",
  stat: "przypad|punkt|badan|процент|отчет|случа|балл|исследован|просмотр|poang|yuzde|rapor|puan|arastirma",
  changed:
    "zmienion|zaktual|pomysln|изменен|обновл|успешн|выполнен|andrad|andrat|uppdater|lyckad|degisti$|degistirildi|guncel|basari",
  ending: "koncz|ostatn|оканчив|заканчив|последн|slutar|slutande|sista$|biten$|sonu$",
  election: "kolejk|licznik|odczyt|numerek|очеред|счетчик|показан|талон|matare|avlasning|sayac",
  temporary: "poczatk|pierwsz|первонач|начальн|времен|tillfallig|forsta$|ilk$|gecici",
  user: "uzytkown|пользоват|имя$|anvandar|~anvandar|kullanici",
  change: "zmien$|смени|измени|поменя|byt$|byta$|degistir",
  welcome: "witaj|witam|добро$|пожалов|valkom|hosgeld",
  wifi: "gosci|domek|вайфай|роутер|гост|дача|дачи|gasten|stuga|misafir|modem|tatil",
  sim: "симк|сим$|есим|simkort|hattiniz|hattini",
  example: "przyklad|np$|musi$|najmniej|например|пример|должен|exempel|minst$|ornek|ornegin",
  hurry: "szybko|быстр|скоре|срочно|snabb|skynda|cabuk|acele|hizli",
  arrived:
    "przyszed|przysz|przysl|пришел|пришл|прислал|получил|скинул|skickade|skickat|kommit|fick$|geldi|gonderdi|aldim",
  tip: "oszust|porad|wyludz|falszyw|мошен|совет|обман|фишинг|bedrag|lura|natfiske|dolandir|ipucu|oltalama|sahte",
};
