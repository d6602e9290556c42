/**
 * Short sentences of other languages that tell of a change, in plain English: a home, a
 * job, what somebody gave up, sold or married. The rest of those languages is not read.
 */
const NAME =
  "(?<name>\\p{Lu}[\\p{L}.&'’-]*(?: (?:de |del |la |am |an der )?\\p{Lu}[\\p{L}.&'’-]*){0,3})";

const RENDERED: readonly (readonly [form: string, english: string])[] = [
  // German
  [
    `(?:ich bin|wir sind) .{0,30}?(?:nach|in die|in den) ${NAME} (?:um)?gezogen`,
    "I moved to $<name>",
  ],
  [
    `(?:ich wohne|wir wohnen|ich lebe|wir leben) (?:jetzt|nun|seit (?:kurzem|gestern|heute|neuestem)|mittlerweile|inzwischen|wieder) .{0,20}?in ${NAME}`,
    "I live in $<name> now",
  ],
  [
    `ich arbeite (?:jetzt|nun|seit (?:kurzem|gestern|heute|neuestem)|mittlerweile|inzwischen|wieder) (?:\\p{L}+ )?(?:bei|für) (?:der |dem |den )?${NAME}`,
    "I work at $<name> now",
  ],
  [`ich habe .{0,30}?bei (?:der |dem )?${NAME} angefangen`, "I started working at $<name>"],
  [`ich habe bei (?:der |dem )?${NAME} (?:gekündigt|aufgehört)`, "I left $<name>"],
  [
    "ich habe (?:meinen job |meine stelle |.{0,12})?gekündigt|ich arbeite nicht mehr|mir wurde gekündigt|ich bin (?:jetzt )?in rente",
    "I left my job",
  ],
  [
    "ich rauche nicht mehr|ich habe (?:mit dem rauchen aufgehört|aufgehört zu rauchen)",
    "I quit smoking",
  ],
  ["ich trinke (?:keinen alkohol|nicht) mehr", "I quit alcohol"],
  [
    "ich esse (?:jetzt |mittlerweile )?(?:kein fleisch mehr|vegetarisch)|ich bin (?:jetzt|nun|mittlerweile|seit (?:kurzem|gestern|heute|neuestem)) vegetarier(?:in)?",
    "I went vegetarian",
  ],
  [
    "ich bin (?:jetzt|nun|mittlerweile|seit (?:kurzem|gestern|heute|neuestem)) veganer(?:in)?|ich (?:lebe|esse) (?:jetzt|nun|mittlerweile) vegan",
    "I went vegan",
  ],
  ["ich esse (?:jetzt |mittlerweile )?wieder fleisch", "I eat meat again"],
  ["wir haben (?:\\p{L}+ ){0,3}geheiratet|ich habe (?:\\p{L}+ ){0,3}geheiratet", "I got married"],
  ["wir haben uns (?:\\p{L}+ ){0,2}getrennt", "we broke up"],

  // French
  [
    `(?:on a|nous avons|j'ai) (?:\\p{L}+ ){0,2}?(?:déménagé|emménagé) (?:à|en|au|aux|sur) ${NAME}`,
    "I moved to $<name>",
  ],
  [
    `(?:j'habite|je vis|on habite|on vit|nous habitons|nous vivons) (?:maintenant|désormais|à présent) (?:à|en|au) ${NAME}|(?:j'habite|je vis|on habite|on vit) (?:à|en|au) (?<name2>\\p{Lu}[\\p{L}-]+) (?:maintenant|désormais)`,
    "I live in $<name>$<name2> now",
  ],
  [
    `je travaille (?:maintenant|désormais|à présent) (?:chez|à|pour) ${NAME}`,
    "I work at $<name> now",
  ],
  [`j'ai commencé (?:\\p{L}+ ){0,2}?chez ${NAME}`, "I started working at $<name>"],
  [
    `(?:j'ai (?:quitté|démissionné de)|je ne travaille plus (?:chez|à|pour)|je travaille plus chez) ${NAME}`,
    "I left $<name>",
  ],
  [
    "j'ai démissionné|je ne travaille plus|j'ai quitté mon (?:travail|boulot|emploi|poste)|je suis (?:\\p{L}+ )?à la retraite",
    "I left my job",
  ],
  ["je (?:ne )?fume plus|j'ai arrêté (?:de fumer|la cigarette)", "I quit smoking"],
  [
    "je (?:ne )?(?:bois plus d'alcool|bois plus)|j'ai arrêté (?:de boire|l'alcool)",
    "I quit alcohol",
  ],
  [
    "je (?:ne )?mange plus de viande|je suis (?:devenue?|maintenant) végétarien(?:ne)?",
    "I went vegetarian",
  ],
  [
    "je (?:re)?mange (?:de nouveau |à nouveau )de la viande|je remange de la viande",
    "I eat meat again",
  ],
  ["(?:on|nous) (?:s'est|nous sommes) (?:\\p{L}+ )?mariée?s|je me suis mariée?", "I got married"],
  ["(?:on|nous) (?:s'est|nous sommes) séparée?s", "we broke up"],

  // Spanish
  [
    `(?:me mudé|nos mudamos|me he mudado|nos hemos mudado) .{0,20}?(?:a|para) ${NAME}`,
    "I moved to $<name>",
  ],
  [
    `ahora (?:vivo|vivimos) en ${NAME}|(?:vivo|vivimos) ahora en (?<name2>\\p{Lu}[\\p{L}-]+)`,
    "I live in $<name>$<name2> now",
  ],
  [
    `(?:ahora trabajo|trabajo ahora|he empezado|empecé(?: a trabajar)?) (?:en|para) ${NAME}`,
    "I work at $<name> now",
  ],
  [`(?:ya no trabajo (?:en|para)|dejé|he dejado) ${NAME}`, "I left $<name>"],
  [
    "ya no trabajo|(?:dejé|he dejado) (?:el|mi) trabajo|me (?:jubilé|he jubilado)|me (?:despidieron|han despedido)",
    "I left my job",
  ],
  ["ya no fumo|(?:dejé|he dejado) de fumar", "I quit smoking"],
  ["ya no bebo|(?:dejé|he dejado) (?:de beber|el alcohol)", "I quit alcohol"],
  ["ya no como carne|ahora soy vegetarian[oa]|me hice vegetarian[oa]", "I went vegetarian"],
  ["(?:vuelvo a comer|como otra vez|como de nuevo) carne", "I eat meat again"],
  ["nos (?:casamos|hemos casado)|me (?:casé|he casado)", "I got married"],
  ["nos (?:separamos|hemos separado)|(?:lo dejamos|hemos roto)", "we broke up"],

  // Italian and Dutch
  [`(?:mi sono trasferit[oa]|ci siamo trasferiti) (?:a|in) ${NAME}`, "I moved to $<name>"],
  [`(?:adesso|ora) (?:vivo|abito|viviamo|abitiamo) (?:a|in) ${NAME}`, "I live in $<name> now"],
  [`(?:adesso|ora) lavoro (?:per|da|alla|in) ${NAME}`, "I work at $<name> now"],
  ["non fumo più|ho smesso di fumare", "I quit smoking"],
  [
    `(?:ik ben|we zijn|wij zijn) (?:\\p{L}+ ){0,2}?(?:naar ${NAME} verhuisd|verhuisd naar (?<name2>\\p{Lu}[\\p{L}-]+))`,
    "I moved to $<name>$<name2>",
  ],
  [`(?:ik woon|we wonen) (?:nu|sinds kort|inmiddels) in ${NAME}`, "I live in $<name> now"],
  [`ik werk (?:nu|sinds kort|inmiddels) (?:bij|voor) ${NAME}`, "I work at $<name> now"],
  ["ik rook niet meer|ik ben gestopt met roken", "I quit smoking"],
];

/** Things that are sold, under their English names. */
const THINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    car: "auto wagen voiture bagnole coche carro macchina",
    motorcycle: "motorrad moto",
    bike: "fahrrad rad vélo bici bicicleta fiets",
    boat: "boot bateau barco barca",
    house: "haus maison casa huis",
    piano: "klavier piano",
    camper: "wohnmobil camping-car autocaravana",
  }).flatMap(([english, words]) => words.split(" ").map((word) => [word, english] as const)),
);
const SOLD =
  /^(?:ich habe|wir haben) (?:\p{L}+ )*?(?:das|den|die|mein|meinen|meine|unser|unseren|unsere) (?<de>\p{L}+) verkauft|^(?:j'ai|on a|nous avons) vendu (?:la |le |ma |mon |notre )(?<fr>[\p{L}-]+)|^(?:vendí|he vendido|vendimos|hemos vendido|ho venduto|vendi) (?:el |la |mi |il |nuestro |nuestra |o )(?<es>\p{L}+)|^(?:ik heb|we hebben) (?:mijn|de|onze) (?<nl>\p{L}+) verkocht/iu;

const FORMS = RENDERED.map(
  ([form, english]) => [new RegExp(`^(?:${caseless(form)})(?![\\p{L}])`, "u"), english] as const,
);
const LEAD_IN =
  /^(?:(?:übrigens|also|ja|so|hallo|hey|hi|salut|bonjour|bon|alors|au fait|et|und|y|hola|bueno|por cierto|pues|endlich|enfin|por fin)[,!]? )+/iu;
const ELSE =
  /\?\s*$|\b(?:wenn|falls|vielleicht|möchte|würde|si|peut-être|voudrais|quizás?|ojalá|quiero|forse|se|als|misschien)\b/iu;
const MAX_CHARACTERS = 300;

/** What a sentence of another language says of a change, in English; null: nothing that is read. */
export function changeInEnglish(sentence: string): string | null {
  const read = sentence.slice(0, MAX_CHARACTERS).replace(/[’]/gu, "'").trim().replace(LEAD_IN, "");
  if (ELSE.test(read)) return null;
  const sold = Object.values(SOLD.exec(read)?.groups ?? {}).find((word) => word !== undefined);
  const thing = THINGS.get(sold?.toLowerCase() ?? "");
  if (thing !== undefined) return `I sold the ${thing}`;
  for (const [form, english] of FORMS) {
    const groups = form.exec(read)?.groups;
    if (groups === undefined && !form.test(read)) continue;
    const name = groups?.name ?? groups?.name2 ?? "";
    return english.replace("$<name>", name).replace("$<name2>", "");
  }
  return null;
}

/** The first letters of a sentence are capitals, those of names always: no flag tells them apart. */
function caseless(form: string): string {
  return form.replace(
    /(^|\||\(\?:)([a-zà-ü])/gu,
    (_, before, first) => `${before}[${first}${first.toUpperCase()}]`,
  );
}
