import { alignedLowerCase } from "./text-forms.ts";
import type { TextRange } from "./text-ranges.ts";

// All patterns are in lower case.

/** Words of a URL that leads to a reset, a sign-in or a verification. */
export const signInPaths =
  /(?:^|[^a-z])(?:re-?set|resetar|password|passwd|passwort|kennwort|passcode|pwreset|mot-?de-?passe|contrase[nñ]a|senha|magic|magiclink|verif(?:y|ication|izieren|icar|ier|icacao|icacion)?|passwordless|otp|onetime|one-?time|ott|sign-?in|log-?in|sso|auth(?:enticate|entication|orize)?|recover(?:y)?|approve|unlock|activat(?:e|ion)|aktivier(?:en|ung)|ativ(?:ar|acao)|activ(?:ar|er|acion|acao|ation)|confirm-?(?:e?mail|account|address|registration|login|signup|device|identity|user)?|confirmation|bestaetigen|bestaetigung|confirmer|confirmar|einloggen|anmelden|anmeldung|connexion|acceso|entrar|acessar|setpassword|set-?password|redefinir|restablecer|mdp|motdepasse|(?:find|forgot|reset|change|set|new)-?_?(?:pwd|pass|pw)|pwd-?reset|reinitialiser|recuperar|zuruecksetzen|signup|register|registration|validate|validation|logowanie|haslo|losenord|sifre|giris|dogrula|verifiera|bekrafta|aktivera|weryfikacja|jeton|durchlassen|laat-door|pase)(?![a-z]{3})|(?:reset|confirm|verify|magic|login|verification|activation)(?=token|link|code|email)/;

/** Words of a URL that leads to something else. */
export const otherPaths =
  /(?:^|[/?&=._-])(?:unsub(?:scribe)?|preferences?|privacy|terms|help|hilfe|aide|ayuda|ajuda|aiuto|assistenza|hulp|pomoc|support|faq|datenschutz|confidentialite|privacidade?|track(?:ing)?|orders?|invoices?|receipts?|rechnung(?:en)?|bestellung(?:en)?|factures?|commandes?|pedidos?|facturas?|meet|meetings?|zoom|teams|webex|calendar|cal|events?|shipments?|parcel|delivery|newsletter|optout|opt-out|abmelden|desabonner|legal|impressum|rsvp|booking|reservations?|survey|feedback|review|subscri\w*|view-?in-?browser|share|sharing|document|docs|drive|download|pay(?:ment)?|checkout|cart|tickets?|appointments?|attend|j|activit(?:y|e|eit)|aktivitaet(?:en)?|actividad|attivita|atividade|checkup|notifications?|alerts?|alertas?|blog|news|itinerary|trips?|reservas?|reservation|resa|buchung(?:en)?|boeking|prenotazion[ei]|citas?|termine?|rdv|afspraa?k(?:en)?|appuntament[oi]|encuestas?|umfrage|sondage|signing|signer|files|folders?|downloads?|archives|profile|click|cards?|album|photos?|fotos)(?=$|[/?&._-])/;

/** Words beside a link that leads to something else. */
export const otherPurposes =
  /unsubscrib|preferences|privacy|\bterms\b|help cent|contact us|support|track(?:ing)?\b|\border\b|invoice|receipt|booking|reservation|meeting|join(?! your)|appointment|newsletter|subscription|attendance|delivery|parcel|survey|feedback|abmelden|abbestellen|datenschutz|impressum|bestellung|rechnung|sendung|termin|buchung|besprechung|désabonn|désinscri|confidentialité|commande|facture|colis|rendez-vous|réunion|réservation|cancelar (?:la |a )?(?:suscripci|inscri|subscri)|darse de baja|privacidad|privacidade|pedido|factura|fatura|env[íi]o|encomenda|cita|reuni[óoã]|reserva|配信停止|プライバシー|ご注文|請求書|配送|会議|予約|退订|退訂|隐私|隱私|订单|訂單|发票|發票|物流|会议|會議|预约|預約|отпис|доставк|заказ|встреч|опрос|avregistr|leverans|beställ|möte|enkät|abonelik|kargo|sipariş|toplantı|anket|wypis|przesyłk|paczk|zamówien|spotkani/u;

/** A label of a link that every newsletter has: to read it in a browser, or to leave the list. It never signs in. */
const newsletterLabels =
  /(?:(?:view|read|see) (?:this |it |the )?(?:e-?mail |message |newsletter )?(?:in (?:your |a |the )?(?:web ?)?browser|online|on the web)|(?:im (?:web-?)?browser|online) (?:ansehen|anzeigen|lesen)|(?:ansehen|anzeigen|lesen)[^.\n]{0,12} im browser|(?:voir|afficher|lire|consulter)[^.\n]{0,25} (?:dans (?:votre|ton|le|un) navigateur|en ligne)|version en ligne|(?:ver|leer|visualizar|ler|veja)[^.\n]{0,25} (?:en (?:el|tu|su) navegador|no (?:seu )?navegador|en l[íi]nea|on-?line)|(?:visualizza|vedi|leggi|apri)[^.\n]{0,25} (?:nel|sul|in un) (?:tuo )?browser|bekijk[^.\n]{0,25} (?:browser|online)|ブラウザ[ーで]{1,2}(?:見る|読む|表示|ご覧|閲覧)|(?:在)?浏览器(?:中)?查看|在线查看|瀏覽器(?:中)?檢視|unsubscrib\w*|opt[ -]?out|no more (?:e-?)?mails?|abmelden|abbestellen|(?:se )?d[ée]s(?:abonner|inscrire)|darse de baja|\bbaja|no m[áa]s correos|sair da lista|cancelar (?:a )?(?:inscri[çc][ãa]o|assinatura)|disiscri\p{L}*|annulla(?:re)? l['’]iscrizione|uitschrijven|afmelden|ne plus recevoir\p{L}*|(?:g[ée]rer|modifier) (?:mes|vos) pr[ée]f[ée]rences|(?:manage|update) (?:your |my )?(?:e-?mail )?(?:preferences|subscriptions?)|einstellungen (?:ändern|verwalten)|descadastr\p{L}*(?:-se)?|cancell?ati|keine weiteren [a-zäöü-]{4,20}|no (?:quiero )?recibir m[áa]s|no more (?:surveys?|reminders?)|(?:no longer (?:want|wish)|non vuoi più|non desideri più|ne (?:souhaite[sz]|voulez|veux) plus|ya no (?:quieres?|desea)|não (?:quer|deseja|queres) mais|nicht mehr|wil je geen|wilt u geen)[^.\n:?]{0,45}\?|配信(?:停止|解除)|отписаться|открыть в браузере|avregistrera\p{L}*|visa i webbläsaren|abonelikten çık\p{L}*|tarayıcıda (?:görüntüle|aç)|wypisz (?:się|mnie)|zobacz w przeglądarce)["'”’»)」*_]{0,3}\s{0,3}[:：]?\s{0,3}[[(<（]?\s{0,2}$/u;

/** Characters of a label before a link. */
const labelCharacters = 80;

/** A part of a URL that ends a subscription. Such a link opens no account, whatever its label says. */
const unsubscribes = /[/?&=._-](?:list-?)?(?:unsub(?:scribe)?|opt-?out)(?![a-z])/;

export const endsSubscription = (address: string): boolean =>
  unsubscribes.test(address.toLowerCase());

/** Returns whether a link opens a newsletter in a browser or unsubscribes from it. */
export function isOfNewsletter(text: string, { start }: TextRange): boolean {
  const label = text.slice(Math.max(0, start - labelCharacters), start);
  return newsletterLabels.test(alignedLowerCase(label));
}
