import { describe, expect, it } from "vitest";
import { hideCodes } from "../../src/ingest/codes/hide-codes.ts";

const head = (subject: string): string =>
  `---------- Forwarded message ---------\nFrom: Service <no-reply@service.example>\nDate: Wed, Nov 25, 2026 at 9:14 AM\nSubject: ${subject}\nTo: Kim Lee <kim@example.com>\n\n`;
const outlookHead = (subject: string): string =>
  `Zur Info.\n\nVon: Service <no-reply@service.example>\nGesendet: Mittwoch, 25. November 2026 09:14\nAn: Kim Lee\nBetreff: ${subject}\n\n`;
const dutchHead = (subject: string): string =>
  `---------- Doorgestuurd bericht ---------\nVan: Service <no-reply@mail.example>\nDatum: 12.06.2025 10:14\nOnderwerp: ${subject}\nAan: <me@home.example>\n\n`;
const minutes =
  "Hi all,\n\nthe minutes of Tuesday are attached. We meet again on 3 December at 14:00 in room 204, agenda: budget 2027, the new roof, and the summer party. Anna brings the projector.\n\nBest\nMarc\n\n---\n\n";

// The weights judged a code by the words of the person who passed its message on.
describe("codes in messages that a message contains", () => {
  it.each([
    [
      "quoted below an answer in another language",
      "Re: Commerzbank",
      "Thanks, did it work?\n\nOn Wed, Nov 25, 2026 at 9:14 AM Kim Lee <kim@example.com> wrote:\n\n> Ihre photoTAN «5521904» für die Überweisung über 200,00 EUR.",
    ],
    [
      "in the subject of a quoted head",
      "Fwd: 552 081",
      `${head("«552 081»")}Voilà ton code à usage unique pour Musiko.`,
    ],
    [
      "below a head",
      "WG: Autorização",
      `${outlookHead("Autorização")}Código de autorização «771902» para transferência de 50 EUR.`,
    ],
    [
      "below minutes of a meeting",
      "Protokoll",
      `${minutes}Ihre photoTAN «552190» für die Überweisung über 200,00 EUR.`,
    ],
    [
      "below minutes in another language",
      "Minutes",
      `${minutes}Su clave de un solo uso es «447120». Introdúzcala para iniciar sesión.`,
    ],
  ])("are hidden %s", (_, subject, marked) => {
    const code = /«(.+)»/.exec(marked)?.[1] ?? "";
    const hidden = hideCodes(subject, marked.replaceAll(/[«»]/g, ""));
    expect(`${hidden.subject}\n${hidden.text}`).not.toContain(code);
    expect(hidden.values).toEqual([code]);
  });

  it.each([
    ["Fwd: Zaaknummer", `${head("Zaaknummer")}Uw zaaknummer is ZK-44182.`],
    [
      "Fwd: Código do cliente",
      `${head("Código do cliente")}Seu código de cliente é 77120331, contrato 448-1182.`,
    ],
    // The lines of the head counted as a paragraph about the number.
    [
      "Fwd: Inchecken kan vanaf nu: KL1667 naar Málaga",
      `${dutchHead("Inchecken kan vanaf nu: KL1667 naar Málaga")}Hallo mevrouw Oosterhuis,\n\nUw vlucht vertrekt over 30 uur. Check nu in en kies uw stoel.\n\nKL1667 Amsterdam – Málaga\nzondag 30 november, 09:45\nBoekingscode: Y4TKQ8\nFlying Blue 1189 773 092\n\nNu inchecken: https://www.klm.example/check-in\n\nRuimbagage: 1 x 23 kg. Handbagage: 1 tas en 1 accessoire, samen maximaal 12 kg.\n\nGoede vlucht,\nKLM`,
    ],
    // A paragraph needs more proof than a message.
    [
      "Comunique a leitura do contador da água",
      "Estimado Cliente,\n\nContador: 20WA664277\nÚltima leitura: 742 m³\n\nPode fazê-lo na App, por SMS para 3771 (escreva AGUA, espaço, n.º do local, espaço, leitura) ou pelo 800 202 077.\n\nSem leitura, a faturação será por estimativa.\n\nÁguas do Mondego",
    ],
    [
      "WG: Nouveau numéro de compte",
      `${outlookHead("Nouveau numéro de compte")}Le compte 4418 207, même agence.`,
    ],
  ])("are not seen in other messages that are passed on: %s", (subject, text) => {
    expect(hideCodes(subject, text)).toEqual({ subject, text, hidden: 0, values: [] });
  });

  // The signs around the value were read as a part of it.
  it.each([
    [
      "Neue PIN für Ihre Karte",
      "Wie gewünscht teilen wir Ihnen Ihre neue Geheimzahl mit: **2816**. Lernen Sie sie auswendig.",
    ],
    [
      "SEPA-Mandat unterschreiben",
      "Bitte geben Sie zum Unterschreiben den Zahlencode *2816* ein. Vertrag 73586934.",
    ],
  ])("are hidden between the marks of bold text: %s", (subject, text) => {
    expect(hideCodes(subject, text).text).toBe(text.replace("2816", "[hidden: sign-in code]"));
  });
});
