import {
  ARTICLE,
  inOrder,
  kindOf,
  NEW_ONE,
  NUMBER,
  NUMBER_WORD,
  OF_NEW,
  ORDINAL,
  PREPOSITION,
  readStatement,
  type StatementWord,
} from "./statement.ts";
import verbs from "./verbs.json" with { type: "json" };
import { isPastVerb, stemOf } from "./words.ts";

/** Verbs, and what one is, of which a subject has several objects at a time. */
const SEVERAL = new Set(verbs.several.join(" ").split(" "));
const ADDITION =
  /\b(?:also|added|too|as well|another|additional(?:ly)?|besides|both|extra|one of|(?:\d+|two|three|four|five|some|several) (?:new|more|other))\b/iu;
const NEW =
  /\b(?:started|began|begun|replaced|succeeded|(?:took|taken|takes) over|became|become|gone to (?:live|work)) |\b(?:now|nowadays|these days|from now on|instead|any ?more|since|as of|this morning|meanwhile|again|by now|no longer)\b/iu;
/** What follows a value and says when or why: "in Oslo now", "on Mondays since May". */
const CIRCUMSTANCE =
  /(?:,? (?:now(?:(?:,| and| that| for| so| because) .*)?|nowadays|currently|these days|from now on|instead(?: of .*)?|any ?more|since .*|as of .*|from .+ on|from (?:January|February|March|April|June|July|August|September|October|November|December)|meanwhile|again|by now|because .*))+$|, not .*$/iu;
/** "Read Emma last year" says nothing of what is read now. */
const LONG_OVER =
  /\b(?:last (?:week|month|year|spring|summer|autumn|winter)|ago|in (?:19|20)\d\d)$/iu;
const UNSAID = /^(?:now|currently|still|just|finally|recently|already)$/u;
/** What a subject has one of at a time, whatever words say it. */
const NAMES_ATTRIBUTE =
  /^(?:favou?rite|preferred|default|role|job|title|position|profession|occupation|goal|status|usual|current|main|regular|primary|only|colou?r|name|password|code|plan|type|size|language|theme|major|priority|severity|stage|level|version|model)$/u;
const PERSON =
  /^(?:user|mother|father|mum|mom|dad|parent|son|daughter|sister|brother|child|children|kid|wife|husband|partner|girlfriend|boyfriend|friend|cousin|aunt|uncle|colleague|cat|dog|he|she|they)$/u;
/** Of these relatives a person may have several; "best friend" is one. */
const RELATIVE_OF_MANY =
  /(?<!est )\b(?:son|daughter|sister|brother|child|kid|friend|cousin|aunt|uncle|colleague|neighbou?r|cat|dog)$/u;
/** Labels of lines of which there are many. */
const OF_MANY =
  /^(?:todo|note|fyi|idea|reminder|remember|fact|task|user|tag|skill|pet|child|contact|reviewer|attendee|decision|risk|lesson|requirement|bug|action|expense|(?!hours$|terms$)\p{L}+[^su']s)$/u;
/** Said before a value, they name its attribute: "plays the position of pitcher". */
const NAMES_KIND =
  /^(?!.* (?:a|no) )(?:is|was|play|live|work|study) .*\bthe (?:position|role|rank|language|religion|sport|field|city|town|village|country|continent|state|county|region) of$|^play the sport of$/u;
/** What happens once: "was born in". */
const ONCE =
  /^(?:died|was (?:born|founded|created|written|developed|made|built|designed|invented|composed|directed|produced|published|painted|performed|educated)) /u;
/** What is done with many, by many or in many places. */
const DONE_WITH_MANY =
  /^(?:sold|available|installed|tested|used|shared|sent|attended|licensed|granted|certified|subscribed|registered|linked|consumed|called|imported|followed|seen|listed|tagged|allowed|trained|enrolled|reproduced)$/u;
/** Whoever does so with somebody or something does it with no other. */
const WITH_ONE = /^(?:drive|ride|wear|rent|lead|head|captain|prefer|marry|host|run|use)$/u;
/** Whoever is one of somewhere is none of elsewhere. */
const OF_ONE_PLACE = /^is a (?:citizen|resident|student|pupil|employee|tenant|apprentice|intern) /u;
const PACE = /^(?:hourly|nightly|daily|weekly|fortnightly|monthly|quarterly|yearly|annually)$/u;
const UNIT_OF_TIME = /^(?:second|minute|hour|day|week|month|year)s?$/u;
/** Of these a subject has one, whatever it is: a name, or a few words. */
const OF_ANY_FORM =
  /\b(?:favou?rite|password|passcode)\b.* is$|\b(?:bank|heat|cook|pay|shoot)s? with$|(?<!the user) is \p{L}+ed$/u;
/** One object is written in, read or learned at a time. */
const ONE_AT_A_TIME = /^(?!.*\b(?:has|is)\b).*\S+ \S+ in$|\b(?:reading|learning|knitting)$/u;
const MAX_VALUE_WORDS = 6;

type Words = readonly StatementWord[];
const written = (words: Words) => words.map(({ text }) => text).join(" ");

/** What two statements that say the same of the same subject end with, each as it is written. */
export interface TwoValues {
  readonly older: string;
  readonly newer: string;
  /** They are two values of one attribute, of which a subject has one at a time (D23b). */
  readonly isOneAttribute: boolean;
}

/** The two values of two short statements with the same words through the verb or the colon; else null. */
export function sameAttribute(older: string, newer: string): TwoValues | null {
  if (ADDITION.test(newer) || older.endsWith("?") || newer.endsWith("?")) return null;
  if (LONG_OVER.test(newer)) return null;
  const isNew = NEW.test(newer) || OF_NEW.test(newer) || NEW_ONE.test(newer);
  const a = readSlot(inOrder(older, true));
  const said = readSlot(inOrder(newer, isNew || /\bfavou?rite\b/u.test(newer)));
  const b = inVerbOf(a, inSubjectOf(a, said), isNew);
  if (a.verbAt < 0 || b.verbAt < 0 || a.isLabel !== b.isLabel) return null;
  const first = sharedFrom(a.words, b.words);
  if (first <= a.verbAt || first <= b.verbAt) return null;
  const last = sharedTo(a.words.slice(first + 1), b.words.slice(first + 1));
  const [was, is] = [a, b].map(({ words }) => words.slice(first, words.length - last));
  if (was === undefined || is === undefined || !isOneSpan(was, is)) return null;
  const shared = a.words.slice(0, first);
  const behind = a.words.slice(a.words.length - last);
  const slot = { shared, verbAt: a.verbAt, was, is, behind, isNew };
  const isOneAttribute = a.isLabel ? isOneOfLabel(slot) : isOneValue(slot);
  return { older: written(was), newer: written(is), isOneAttribute };
}

/** What a statement opens with, through its verb or colon: "the backup job run"; else null. */
export function openingOf(text: string): string | null {
  const { words, verbAt } = readSlot(text);
  const opening = words.slice(0, verbAt + 1).map(({ key }) => key);
  const isOfUser =
    verbAt === 2 && opening[1] === "user" && /^(?:is|has|was)$/u.test(opening[2] ?? "");
  return verbAt < 0 || isOfUser || isOfSeveral(opening.at(-1) ?? "") ? null : opening.join(" ");
}

/** "The shop wifi password" as "the wifi password at the shop", where the older statement says so. */
function inSubjectOf(a: Slotted, b: Slotted): Slotted {
  const [theirs, ours] = [namesIn(a), namesIn(b)];
  if (ours.size === 0 || ours.symmetricDifference(theirs).size > 0) return b;
  const words = [...a.words.slice(0, a.verbAt), ...b.words.slice(b.verbAt)];
  return { ...b, words, verbAt: a.verbAt };
}

/** What a subject is called: "shop's" and "shop" are one. */
function namesIn({ words, verbAt }: Slotted): ReadonlySet<string> {
  const said = words.slice(0, Math.max(verbAt, 0)).map(({ key }) => key);
  const named = said.filter((key) => !PREPOSITION.test(key) && !ARTICLE.test(key));
  return new Set(named.map((key) => key.replace(/'s?$/u, "")));
}

/** "Is in Galway now" as "lives in Galway", where the older statement says "lives in Cork". */
function inVerbOf(a: Slotted, b: Slotted, isNew: boolean): Slotted {
  const [before, was] = a.words.slice(a.verbAt, a.verbAt + 2);
  const [now, is, value] = b.words.slice(b.verbAt, b.verbAt + 3);
  if (!isNew || before === undefined || now?.key !== "is" || was?.key !== is?.key || a.isLabel)
    return b;
  const isOfPerson =
    PERSON.test(b.words[b.verbAt - 1]?.key ?? "") ||
    [a, b].every(({ words, verbAt }) => isName(words[verbAt - 1]));
  const isNone = before.key === "has" || isOfSeveral(before.key) || isPastVerb(before.key);
  if (isNone || !PREPOSITION.test(was?.key ?? "")) return b;
  if (
    isOfPerson &&
    !((was?.key !== "in" || before.key === "live") && /^(?:\p{Lu}|an?$)/u.test(value?.text ?? ""))
  )
    return b;
  return { ...b, words: b.words.with(b.verbAt, before) };
}

/** The words of a statement without those that say nothing of the value. */
type Slotted = ReturnType<typeof readSlot>;

function readSlot(text: string) {
  const told = text
    .trim()
    .replace(/[.!]+$/u, "")
    .replace(CIRCUMSTANCE, "");
  const { words: read, verbAt: found, isLabel } = readStatement(told);
  const isThe = read[0]?.key === "the" && read[1]?.key !== "user";
  const [words, verbAt] = isThe && found > 0 ? [read.slice(1), found - 1] : [read, found];
  if (isLabel) return { words, verbAt, isLabel };
  const isSaid = ({ key }: StatementWord, i: number) => i === verbAt || !UNSAID.test(key);
  const said = words.filter(isSaid);
  const at = verbAt < 0 ? -1 : words.slice(0, verbAt).filter(isSaid).length;
  // "Is reading Dune".
  const isGoingOn = said[at]?.key === "is" && /^\p{Ll}+ing$/u.test(said[at + 1]?.text ?? "");
  return { words: isGoingOn ? said.toSpliced(at, 1) : said, verbAt: at, isLabel };
}

/** How many words two statements begin with alike; an article belongs to the value behind it. */
function sharedFrom(a: Words, b: Words): number {
  const at = a.findIndex(({ key }, i) => key !== b[i]?.key && !isOfOneVerb(key, b[i]?.key ?? ""));
  if (at < 0) return a.length;
  return a.slice(0, at).findLastIndex(({ key }) => !ARTICLE.test(key)) + 1;
}

/** "Getting" and "gets". */
function isOfOneVerb(a: string, b: string): boolean {
  const rootOf = (verb: string) => stemOf(verb).replace(/y$/u, "i").replace(/e$/u, "");
  return a.endsWith("ing") !== b.endsWith("ing") && rootOf(a) === rootOf(b);
}

function sharedTo(a: Words, b: Words): number {
  const at = a.toReversed().findIndex(({ key }, i) => key !== b.at(-1 - i)?.key);
  return at < 0 ? a.length : at;
}

/** Whether two values differ in all that they say, or the newer only adds to it: "staff engineer". */
function isOneSpan(was: Words, is: Words): boolean {
  const known = new Set(was.map(({ key }) => key));
  const isKnown = ({ key }: StatementWord) =>
    known.has(key) && !ARTICLE.test(key) && !/^(?:of|to|at|and)$/u.test(key);
  if (![was, is].every(({ length }) => length > 0 && length <= MAX_VALUE_WORDS)) return false;
  // "Oslo in June" and "Rome in May", "A to B" and "B to A".
  const isReordered = was.length === is.length && is.every(isKnown);
  const isOfTwo = [was, is].every(
    (span) => hasInner(span) && !/\d|days?$/u.test(span[0]?.key ?? ""),
  );
  if (isReordered || (isOfTwo && !is.some(isKnown))) return false;
  return !is.some(isKnown) || is.filter(isKnown).length === was.length;
}

/** "Head of sales: Mia", and neither "Allergies: nuts" nor "Service A: timeout 3 s" and "Service A: owner Mia". */
function isOneOfLabel({ shared, verbAt, was, is, behind }: Slot): boolean {
  const [label, said] = [shared.slice(0, verbAt + 1), shared.slice(verbAt + 1)];
  const isNumber = [was, is].every((span) => kindOf(span, false) === "number");
  if (isNumber) return isOfOneUnit(was, is, behind) || (was.length === 1 && is.length === 1);
  const at = label.findIndex(({ key }) => PREPOSITION.test(key));
  const named = label.at(at < 0 ? -1 : at - 1);
  if ([label[0], named].some((word) => NAMES_ATTRIBUTE.test(word?.key ?? ""))) return true;
  if (OF_MANY.test(named?.text.toLowerCase() ?? "") || said.some(({ key }) => isOfSeveral(key)))
    return false;
  // "Phone 555" and "email a@x.org": each says what it is.
  const saysWhat = ([first, next]: Words) =>
    next !== undefined &&
    /^\p{Ll}+$/u.test(first?.text ?? "") &&
    !PREPOSITION.test(first?.key ?? "");
  return kindOf(was, false) === kindOf(is, false) && !(saysWhat(was) || saysWhat(is));
}

interface Slot {
  /** What both statements begin with, through the verb at least. */
  readonly shared: Words;
  readonly verbAt: number;
  readonly was: Words;
  readonly is: Words;
  /** What both end with. */
  readonly behind: Words;
  readonly isNew: boolean;
}

function isOneValue({ shared, verbAt, was, is, behind, isNew }: Slot): boolean {
  if (behind.some(({ key }) => /^(?:is|was|has|does|and|or)$/u.test(key))) return false;
  // "Is used by Acme" and "is paid by Acme".
  const isDoneTo = ([done, by]: Words) =>
    /(?:e[dn]|[lt])$/u.test(done?.key ?? "") && PREPOSITION.test(by?.key ?? "");
  if (behind.length > 0 && [was, is].every(isDoneTo) && !PREPOSITION.test(was[0]?.key ?? ""))
    return false;
  const [verb = "", ...said] = shared.slice(verbAt).map(({ key }) => key);
  if (/^(?:will|would|can|could|should|may|might|must|does)$/u.test(verb)) return false;
  if (/\b(?:not|never|no|a .*(?:called|named))\b|n't\b/u.test([verb, ...said].join(" ")))
    return false;
  // "Does not eat fish" and "does yoga".
  if ([was, is].some(([first]) => /^(?:not|never)$/u.test(first?.key ?? ""))) return false;
  const isOfPerson =
    PERSON.test(shared[verbAt - 1]?.key ?? "") ||
    (isName(shared[verbAt - 1]) && /s$/u.test(shared[verbAt]?.text ?? "") && said[0] !== "its");
  const isRelative = RELATIVE_OF_MANY.test(`${shared[verbAt - 2]?.key} ${shared[verbAt - 1]?.key}`);
  const isClock = said.at(-1) === "at";
  const kind = kindOf(was, isClock);
  // "On Node 20", "in room Madrid".
  const isNumbered = /^(?:name|number)$/u.test(kind) && PREPOSITION.test(said.at(-2) ?? "");
  const isPlaced = isNumbered || PREPOSITION.test(said.at(-1) ?? "");
  const other = kindOf(is, isClock);
  const isPlace = isPlaced && (isNew || (verb === "is" && said.length === 1 && !isOfPerson));
  const isWorded = [kind, other].every((each) => each === "name" || each === "words");
  // "The default theme is", "has priority".
  const isOfName = (words: Words) => words.some(({ key }) => NAMES_ATTRIBUTE.test(key));
  const isNamed =
    verb === "has" ? isOfName(shared.slice(-1)) : said.length === 0 && isOfName(shared);
  const isOfKind = kind === other || ((isPlace || isNamed) && isWorded);
  const isOfAnyForm = OF_ANY_FORM.test(shared.map(({ key }) => key).join(" "));
  const [lead = ""] = is.map(({ key }) => key);
  if (isOfAnyForm && !PREPOSITION.test(lead) && !/^(?:each|every|twice)$/u.test(lead)) return true;
  if ([was, is].every((span) => span.length === 1 && PACE.test(span[0]?.key ?? ""))) return true;
  // "Is $5 in Canada", and $5 in Mexico; "closes at 6", and at 2 on Fridays.
  const isBounded =
    (said.some((word) => /\d/u.test(word)) && PREPOSITION.test(said.at(-1) ?? "")) ||
    (kind !== "words" && hasInner(is) && !hasInner(was));
  if (isBounded && !isNew) return false;
  const isFor = verb === "use" && /^(?:for|as)$/u.test(`${behind[0]?.key}`) && kind === "name";
  if (!isOfKind || !(isPlace || isFor || isLedAlike(was, is))) return false;
  // "Tom's sister" and "Ben's aunt".
  if ([was, is].every((span) => span.length > 1 && /'s$/u.test(span[0]?.text ?? ""))) return false;
  const opening = [verb, ...said].join(" ");
  if (isPlaced && [OF_ONE_PLACE, ONCE].some((each) => each.test(opening))) return true;
  // What somebody did, they may have done twice.
  if (isPastVerb(verb)) return false;
  if (NAMES_KIND.test(opening)) return true;
  const [first = ""] = said;
  const isDone = !PREPOSITION.test(first) && /^(?!open$).*(?:ed|en|t|n)$/u.test(first);
  // "Rents a boat in Rome", and another one in Oslo.
  if (isWorded && said[0] === "a" && said.length > 1 && verb !== "is" && !isNew) return false;
  const isMeasure = kind === "number" && isOfOneUnit(was, is, behind);
  const isAim = said[0] === "to" && said[1] === "be";
  if (!isAim && [verb, ...said].some(isOfSeveral)) {
    // "Uses Slack for chat".
    if (isFor || (verb === "has" && isNamed)) return true;
    if (verb === "feel" && isNew) return ![...was, ...is].some(({ key }) => PREPOSITION.test(key));
    if (/^(?:like|love|enjoy|hate|dislike|adore)$/u.test(verb)) return false;
    const isAt = said.some((word) => PREPOSITION.test(word));
    if (isNew && (isAt || behind.length > 0 || /ing$/u.test(verb))) return true;
    if (isPlaced && kind === "name" && !isOfPerson && !said.includes("a")) return true;
    if (kind !== "time" && verb !== "has" && ONE_AT_A_TIME.test([verb, ...said].join(" ")))
      return true;
    if (/^(?:eat|drink)s?$/u.test(verb) && behind.length === 1 && was.length === 1) return true;
    return isMeasure || (kind === "time" && !/^(?:has|need|is)$/u.test(verb));
  }
  if (verb === "is" && shared[verbAt]?.text === "are" && kind !== "number" && !(isDone && isPlaced))
    return false;
  // "Friends with", "good at".
  const isQuality = verb === "is" && said.length > 1 && isPlaced && !isDone && isOfPerson;
  const isOfMany = verb === "is" && !isNew && DONE_WITH_MANY.test(first);
  if (isWorded && (isQuality || isOfMany)) return false;
  switch (kind) {
    case "number":
      // "Blocks Release 4.2", and 4.3 as well.
      if (!isNew && verb !== "is" && said.length === 1 && /\p{Lu}/u.test(shared.at(-1)?.text ?? ""))
        return WITH_ONE.test(verb);
      // "This is fact 1": which one it is.
      if (verb === "is" && said.length > 0 && !said.some((word) => PREPOSITION.test(word)))
        return isMeasure;
      return isMeasure || (behind.length === 0 && was.every(isNumeral));
    case "time": {
      // "Open on Mondays".
      const isOfWeek = /days$/u.test(was.at(-1)?.text ?? "");
      return isNew || verb !== "is" || said.length < 2 || isDone || !isOfWeek;
    }
    case "name":
      if (verb === "is" && said.length === 0 && isRelative) return false;
      // "Covers Spain", and Portugal besides.
      if (!isNew && verb !== "is" && said.length + behind.length === 0) return WITH_ONE.test(verb);
      if (behind.length > 0 && [was, is].every((span) => /^\d/u.test(span.at(-1)?.text ?? "")))
        return false;
      if (said.at(-1) === "with" && verb !== "is") return isNew;
      return isNew || isCountry(was) === isCountry(is);
    case "words": {
      const isOrdinal = was.some(({ key }) => ORDINAL.test(key));
      const isOfOneHead = behind.length > 0 && !PREPOSITION.test(behind[0]?.key ?? "");
      if (isOfOneHead && (isPlaced || !isOrdinal)) return true;
      if (isPlaced && verb !== "is") return isNew || verb === "live" || said.at(-1) !== "with";
      if (isPlaced) return isDone || !isOfPerson;
      if (isAim) return true;
      return verb === "is" && said.length === 0 ? isNamed : isNew;
    }
  }
}

/** Whether a value has a circumstance: "2 pm on Fridays". */
function hasInner(span: Words): boolean {
  return span
    .slice(1)
    .some(({ key }) => /^(?:in|on|at|for|during|after|before|between)$/u.test(key));
}

/** "Watches" and "watching" are of "watch". */
function isOfSeveral(key: string): boolean {
  return [key, key.replace(/(?:ing|e)$/u, ""), key.replace(/ing$/u, "e")].some((each) =>
    SEVERAL.has(each),
  );
}

/** "In" and "in", "a" and "a". */
function isLedAlike(was: Words, is: Words): boolean {
  const [a = "", b = ""] = [was, is].map(([lead]) => lead?.key ?? "");
  return a === b || ![a, b].some((lead) => lead === "a" || PREPOSITION.test(lead));
}

function isOfOneUnit(was: Words, is: Words, behind: Words): boolean {
  if (was.some(({ key }) => ORDINAL.test(key))) return false;
  // "340 M6 bolts" and "95 M8 bolts".
  if (was.some(({ text }, i) => /^\p{Lu}\d/u.test(text) && text !== is[i]?.text)) return false;
  if (behind.length > 0) return was.length === is.length;
  // "$900 a month" and "$950".
  if (was.length > 1 && is.length === 1)
    return /^\p{Sc}/u.test(was[0]?.text ?? "") && was[0]?.text[0] === is[0]?.text[0];
  if (was.length === 1)
    return (
      is.length === 1 &&
      /\p{L}|%|\p{Sc}/u.test(was[0]?.text ?? "") &&
      !NUMBER_WORD.test(was[0]?.key ?? "")
    );
  const [unit, other] = [was, is].map((span) => span.at(-1)?.key);
  const isPrice = /^\p{Sc}/u.test(was[0]?.text ?? "");
  return (
    [unit, other].every((each) => UNIT_OF_TIME.test(each ?? "")) && !(isPrice && unit !== other)
  );
}

function isNumeral({ key }: StatementWord): boolean {
  return [NUMBER_WORD, ORDINAL, ARTICLE, NUMBER, /^to$/u].some((each) => each.test(key));
}

function isName(word: StatementWord | undefined): boolean {
  return word !== undefined && /^\p{Lu}\p{Ll}+$/u.test(word.text);
}

let countries: ReadonlySet<string> | undefined;

/** "Spain" and "Valencia" may both hold. */
function isCountry(span: Words): boolean {
  const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
  const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));
  countries ??= new Set(letters.flatMap((a) => letters.flatMap((b) => names.of(a + b) ?? [])));
  return countries.has(written(span));
}
