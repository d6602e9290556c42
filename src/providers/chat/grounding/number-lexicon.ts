import type { Language } from "./languages.ts";

export type SpokenLanguage = Exclude<Language, "ja" | "zh">;

/** Words that stand for a number and are no form that the library writes. */
export const OTHER_WORDS: Readonly<Record<SpokenLanguage, Readonly<Record<string, number>>>> = {
  en: numbersOf(
    "1 a an single once;2 couple pair both twice twins;3 thrice triplets;5 fiver;10 tenner decade;12 dozen",
  ),
  de: numbersOf(
    "1 ein eine einer einem einen eines einmal;2 zwo beide beiden zweimal zwillinge zwillingen;3 dreimal drillinge;10 jahrzehnt;12 dutzend;1.5 anderthalb eineinhalb;2.5 zweieinhalb;3.5 dreieinhalb",
  ),
  fr: numbersOf(
    "1 un une;2 paire jumeaux jumelles;8 huitaine;10 dizaine decennie;12 douzaine;15 quinzaine;20 vingtaine;30 trentaine;70 septante;80 huitante;90 nonante;100 centaine",
  ),
  es: numbersOf(
    "1 un una uno;2 ambos ambas par gemelos gemelas mellizos;10 decena decada;12 docena;20 veintitantos veintitantas veintipico",
  ),
  it: numbersOf(
    "1 un una uno;2 entrambi entrambe paio gemelli gemelle;10 decina decennio;12 dozzina",
  ),
  pt: numbersOf(
    "1 um uma;2 duas ambos ambas par gemeos gemeas;10 dezena decada;12 duzia;14 quatorze;16 dezesseis;17 dezessete;19 dezenove",
  ),
  nl: numbersOf(
    "1 een;2 beide allebei paar tweeling tweemaal;10 decennium;12 dozijn;1.5 anderhalf",
  ),
  pl: numbersOf(
    "1 jeden jedna jedno jednego jednej;2 dwie dwoje dwoch dwom oboje obaj obie blizniaki blizniakow;3 troje trzech trzem;4 czworo czterech czterem;5 piecioro pieciu;6 szescioro szesciu;7 siedmiu;8 osmiu;9 dziewieciu;10 dziesieciu dekada dekade;12 tuzin dwunastu;20 dwudziestu;1.5 połtora połtorej",
  ),
};

function numbersOf(lines: string): Record<string, number> {
  return Object.fromEntries(
    lines.split(";").flatMap((line) => {
      const [value, ...words] = line.split(" ");
      return words.map((word) => [word, Number(value)]);
    }),
  );
}

/** What is a number in a fact only with others. */
export const OFTEN_NO_NUMBER = new Set(
  "second seconds seconde secondo seconda segundo segunda zweite zweiten zweiter tweede drugi druga drugie couple paar par paire paio both beide beiden".split(
    " ",
  ),
);
