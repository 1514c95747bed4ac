/** Articles, pronouns, prepositions and the like. A sentence has many of them, and a seed phrase hardly any. */
const functionWords: ReadonlySet<string> = new Set(
  [
    "the a an and or but if so as at by for from in into of on off to with without about over after before near around through than then that this these those there here is are was were be been am has have had do does did will would can could should may might must not no yes i you he she it we they me him her us them my your his its our their who what when where which how all any some much many more most very just only also again too please thanks thank hope let lets everyone something maybe really",
    "der die das den dem des ein eine einen einem einer und oder aber wenn weil als dass ob in im ins an am auf aus bei beim mit nach seit von vom zu zum zur für über unter vor durch gegen ohne um ist sind war waren sein bin bist hat haben hatte wird werden wurde kann kannst können muss müssen soll nicht kein keine ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihnen mein dein unser eure deine meine ihre was wer wie wo wann auch noch nur schon sehr bitte danke mal doch hier dort heute morgen gestern alle viel vielen lieben liebe einmal",
    "le la les un une des du de et ou mais si que qui dans sur sous avec sans pour par en au aux chez vers est sont était été être avoir avez ont a as ai suis nous vous ils elles il elle je tu me te se lui leur mon ton son notre votre nos vos mes tes ses ce cette ces pas ne plus très bien merci beaucoup bonjour hier demain aussi encore tout tous toute",
    "el la los las un una unos unas y o pero si que quien en de del al a con sin por para sobre entre desde hasta es son era fue ser estar están está he ha han hay no sí yo tú él ella nosotros vosotros ellos me te se lo le les nos os mi tu su sus mis tus nuestro nuestra nuestros vuestro vuestra este esta estos estas muy más también ya gracias muchas mucho por favor ayer mañana hoy todo todos todas tan",
    "o a os as um uma uns umas e ou mas se que quem em de do da dos das no na nos nas ao à com sem por para sobre entre até é são era foi ser estar está estão tem têm há não sim eu tu você ele ela nós vocês eles me te se lhe meu teu seu sua nosso nossa este esta isto isso muito muita mais também já obrigado obrigada pela pelo ontem hoje amanhã todos todas tão para",
    "il lo la i gli le un uno una e o ma se che chi in di del della dei delle al alla a con senza per su tra fra è sono era essere stato ho hai ha abbiamo hanno non sì io tu lui lei noi voi loro mi ti si ci vi mio tuo suo nostro vostro vostra questo questa molto più anche già grazie mille tutto tutti ieri oggi domani per",
    "de het een en of maar als dat die in op aan van voor met zonder bij naar uit over om te tot is zijn was waren ben bent heeft hebben had wordt worden kan kunnen moet zal niet geen ja nee ik jij je hij zij ze wij we jullie mij me hem haar ons hen mijn jouw onze dit deze wat wie waar hoe ook nog maar al zeer heel erg graag bedankt dank gisteren vandaag morgen samen alle veel",
  ].flatMap((words) => words.split(" ")),
);

/** From this share of function words a line is a sentence. */
const shareOfSentence = 0.2;

/** Returns whether words in lower case are a sentence. */
export function isSentence(words: readonly string[]): boolean {
  const count = words.filter((word) => functionWords.has(word)).length;
  return count >= words.length * shareOfSentence;
}
