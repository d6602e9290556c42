import { wordsOf } from "@agent-memory/text";

/** As much of a text as is looked at. */
const MAX_CHARACTERS = 4_000;
/** So many words of another language, and more than English ones, tell a text as foreign. */
const MIN_FOREIGN_WORDS = 2;
/** A text of so many words without a single common English one is in some other language... */
const MIN_WORDS_WITHOUT_ENGLISH = 5;
/** ...if its script is another, or its letters bear so many marks that English lacks. */
const MIN_MARKED_LETTERS = 2;
const MIN_SHARE_OF_OTHER_SCRIPT = 0.4;

const CODE = /```[^`]*(?:```|$)|`[^`\n]{1,200}`/gu;
/** Addresses, paths and names of programs. */
const NO_WORD = /[@/\\_=<>{}#]/u;
const LATIN = /\p{Script=Latin}/gu;
const OTHER_SCRIPT = /(?!\p{Script=Latin})\p{L}/gu;
const MARKED = /(?![a-z])\p{Ll}/gu;

const ENGLISH = new Set(
  `the a an and or but so of to in on at for with from by about is are was were be been am have has had do does did not no
  i you he she it we they my your his her our their me us this that these those what when where who how why which there here
  if because can could will would should may might just now then very really also only than as up out over i'm don't it's
  ok okay yes please thanks hi hello hey like live work moved love hate want need know think got get go use called name`.split(
    /\s+/u,
  ),
);

/** Common words of other languages in Latin script that are none of English. */
const FOREIGN = new Set(
  `ich du er sie wir ihr nicht und oder aber ist sind bin war habe hat haben der das dem den ein eine einen einem einer
  mein meine meinen meiner mit für auf von zu zum zur bei nach seit auch sehr noch schon wohne arbeite heiße heisse
  mag esse gerne je tu il elle nous vous ils elles ne pas et ou mais est suis sont avec pour dans sur chez depuis le
  la les un une des au mon ma mes j'ai j'habite c'est qui que travaille habite m'appelle aime yo tú él ella nosotros
  pero es soy son está estoy tengo tiene con para por en el los las una del al mi mis vivo trabajo llamo gusta muy
  también desde hace io lui lei noi sono sei ho ha per di da nel nella lo gli uno mio mia abito lavoro chiamo piace
  anche eu ele ela nós mas sou são tenho tem com em na os um uma meu minha moro trabalho chamo gosto também ik jij hij
  wij niet maar ben zijn heb heeft met voor op van bij het een mijn woon werk heet hou ook sinds jestem nie ale mam
  się mój moja mieszkam pracuję lubię nazywam oraz jest od jag han hon vi inte och eller men är har med för på av från
  till ett min mitt bor jobbar heter gillar också sedan jeg ikke som og til fra jobber hedder liker kan minä olen ei
  ja mutta asun minun työskentelen että én nem és de vagyok egy lakom dolgozom szeretem hogy sen değil ve ama bir için
  ile bu çok yaşıyorum çalışıyorum adım var seviyorum saya aku kamu tidak dan atau tetapi adalah ke dari yang ini itu
  tinggal bekerja suka dengan untuk jsem není mám bydlím pracuji můj moje jmenuji sunt nu și dar în cu pe locuiesc
  lucrez mea tôi là không và nhưng có của với cho sống làm`
    .split(/\s+/u)
    .filter((word) => word.length > 1 && !ENGLISH.has(word)),
);

/** The words of a text that is prose, how many are common ones of which language, and its letters. */
function countIn(text: string) {
  const prose = text
    .slice(0, MAX_CHARACTERS)
    .replace(CODE, " ")
    .split(/\s+/u)
    .filter((word) => !NO_WORD.test(word))
    .join(" ");
  const others = prose.match(OTHER_SCRIPT)?.length ?? 0;
  const latin = prose.match(LATIN)?.length ?? 0;
  const words = wordsOf(prose)
    .filter((word, i) => i === 0 || !/^\p{Lu}/u.test(word))
    .map((word) => word.toLowerCase());
  return {
    isOtherScript:
      others >= MIN_FOREIGN_WORDS && others >= MIN_SHARE_OF_OTHER_SCRIPT * (others + latin),
    words: words.length,
    english: words.filter((word) => ENGLISH.has(word)).length,
    foreign: words.filter((word) => FOREIGN.has(word)).length,
    marked: words.join("").match(MARKED)?.length ?? 0,
  };
}

/** Whether a text is prose in another language, by script and common words; in doubt not. */
export function isForeignProse(text: string): boolean {
  const { isOtherScript, words, english, foreign, marked } = countIn(text);
  return (
    isOtherScript ||
    (foreign >= MIN_FOREIGN_WORDS && foreign > english) ||
    (english === 0 && words >= MIN_WORDS_WITHOUT_ENGLISH && marked >= MIN_MARKED_LETTERS)
  );
}

/** Whether a sentence, or a part of it, is in another language; in a foreign message it must be English to be none. */
export function isForeignSentence(sentence: string, isInForeign: boolean): boolean {
  if (isInForeign) {
    const { isOtherScript, english, foreign } = countIn(sentence);
    return isOtherScript || english < MIN_FOREIGN_WORDS || english <= foreign;
  }
  return sentence.split(/[,;:–—]\s/u).some(isForeignProse);
}
