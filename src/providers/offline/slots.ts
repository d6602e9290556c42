import { type Change, LIKELY } from "./changes.ts";
import { clausesTold, isNoFact, type ToldClause } from "./slot-clauses.ts";
import { hasOtherFigure, isCountedOtherwise, tellsOfFigure } from "./slot-figures.ts";
import {
  isCalledOff,
  isReplacedByName,
  isSetOtherwise,
  isSucceeded,
  tellsOfFormer,
} from "./slot-former.ts";
import { PERSONAL_RULES, type SlotRule } from "./slot-rules.ts";
import {
  hasOtherFavourite,
  isReachedOtherwise,
  takesItsPlace,
  tellsOfThing,
  travelsOtherwise,
} from "./slot-things.ts";
import { isAtAnotherTime, tellsOfTime } from "./slot-times.ts";
import { contentOf, isNamedIn, turningPoint } from "./turning-points.ts";

/** A value of an attribute of a person, as a clause tells it. */
interface Slot {
  readonly person: string;
  readonly attribute: string;
  readonly value: string;
  readonly how: SlotRule["how"];
}

/** Whether a clause of the user's says that something is otherwise than it was. */
export function tellsOfChange(text: string): boolean {
  return clausesTold(text).some(
    (clause) =>
      !clause.isUnsure &&
      clause.person !== "somebody" &&
      (slotsOf(clause.text).some(
        ({ how }) => how === "change" || how === "end" || (how === "state" && clause.isNow),
      ) ||
        tellsOfThing(clause) ||
        tellsOfFigure(clause) ||
        tellsOfTime(clause) ||
        tellsOfFormer(clause)),
  );
}

/** Ways in which a clause ends what an older one states, each said of the new fact. */
const ENDINGS: readonly (readonly [
  isEnded: (newer: ToldClause, older: ToldClause) => boolean,
  why: string,
])[] = [
  [isSucceeded, "names a successor"],
  [isSetOtherwise, "sets another value"],
  [fillsSlotOtherwise, "gives another value of the same attribute"],
  [ofOnePerson(isReplacedByName), "names what it replaces"],
  [hasOtherFavourite, "names another favourite"],
  [ofOnePerson(isReachedOtherwise), "gives another address"],
  [ofOnePerson(isAtAnotherTime), "gives another time"],
  [isCountedOtherwise, "counts another number"],
  [ofOnePerson(hasOtherFigure), "gives another number of the same"],
  [ofOnePerson(travelsOtherwise), "says how they get around now"],
  [ofOnePerson(takesItsPlace), "switched to another one of the same kind"],
];

function ofOnePerson(isEnded: (newer: ToldClause, older: ToldClause) => boolean) {
  return (newer: ToldClause, older: ToldClause) =>
    areOfOnePerson(newer, older) && isEnded(newer, older);
}

/** What tells of a thing may be said of whomever has it, but not of somebody else's. */
function areOfOnePerson(newer: ToldClause, older: ToldClause): boolean {
  if (newer.person === older.person) return true;
  if (newer.person === null) return older.person === "the user" || isAThing(older.person, newer);
  if (older.person === null) return newer.person === "the user" || isAThing(newer.person, older);
  return isAThing(newer.person, older) || isAThing(older.person, newer);
}

/** "Backend" in "Backend moved to Go" is what "the backend" is. */
function isAThing(name: string | null, { text }: ToldClause): boolean {
  return name !== null && name !== "the user" && !name.includes("'") && isNamedIn(name, text);
}

/**
 * The change that a new fact tells of, clause by clause, in the attribute that the older
 * one gives a value of; null: it tells of none, or the two are of different people.
 */
export function slotChange(newer: string, older: string): Change | null {
  const why = whyEnded(newer, older);
  return why === null ? null : { confidence: LIKELY, reason: `The new fact ${why}.` };
}

function whyEnded(newer: string, older: string): string | null {
  const states = clausesTold(older);
  for (const clause of clausesTold(newer)) {
    if (clause.isUnsure) continue;
    for (const state of states) {
      if (isNoFact(state.text)) {
        if (isCalledOff(clause, state)) return "says that it does not take place";
        continue;
      }
      const point = turningPoint(clause.text, state.text);
      if (point !== null) return point;
      const ending = ENDINGS.find(([isEnded]) => isEnded(clause, state));
      if (ending !== undefined) return ending[1];
    }
  }
  return null;
}

/** Whether both fill one slot, and the newer one with another value. */
function fillsSlotOtherwise(newer: ToldClause, older: ToldClause): boolean {
  if (newer.isAddition) return false;
  const before = slotsOf(older.text).filter(({ how }) => how !== "end");
  if (before.length === 0) return false;
  return slotsOf(newer.text).some((slot) =>
    before.some(
      (held) =>
        slot.person === held.person && slot.attribute === held.attribute && ends(slot, held, newer),
    ),
  );
}

function ends(slot: Slot, held: Slot, { isNow }: ToldClause): boolean {
  if (slot.how === "end") return slot.value === "" || isNamedIn(slot.value, held.value);
  if (slot.how === "held" || (slot.how === "state" && !isNow)) return false;
  if (!isPlausible(slot) || !isPlausible(held)) return false;
  if (slot.attribute === "diet") return areExclusiveDiets(slot.value, held.value);
  if (slot.attribute === "title" && !(isTitle(slot.value) && isTitle(held.value))) return false;
  if (slot.value === "") return true;
  return !isNamedIn(slot.value, held.value) && !isNamedIn(held.value, slot.value);
}

function isTitle(value: string): boolean {
  return contentOf(value).some(({ kinds }) => kinds.includes("title"));
}

const MEAT = /^(?:meat|chicken|beef|steak|everything|anything)$/u;
const OF_ANIMALS = /^(?:meat|chicken|beef|steak|fish|cheese|dairy|eggs|everything|anything)$/u;
const DIET =
  /^(?:vegan|vegetarian|veggie|pescatarian|omnivore|flexitarian|keto|paleo|carnivore|plant-based)$/u;

function areExclusiveDiets(now: string, before: string): boolean {
  if (/\b(?:not|never) eats? /u.test(before) || before === "no meat") return MEAT.test(now);
  if (before === "vegan" && OF_ANIMALS.test(now)) return true;
  if (/^(?:vegetarian|veggie|pescatarian)$/u.test(before) && MEAT.test(now)) return true;
  if (MEAT.test(before))
    return /^(?:vegan|vegetarian|veggie|pescatarian|plant-based|meat)$/u.test(now);
  return DIET.test(before) && DIET.test(now) && before !== now;
}

const PLACE =
  /^(?:(?:the|an?|my|their|his|her|the user's) )?(?:\p{Lu}|\p{L}*(?:city|town|village|country\p{L}*|coast|suburbs?|outskirts|mountains|island|seaside|farm|centre|center|flat|apartment|house|studio|loft|place|home|parents))/u;
const NO_PLACE =
  /^(?:Linux|Windows|Mac\p{L}*|Android|Obsidian|Notion|Slack|Teams|GitHub|GitLab)\b/u;

/** "Moved to the data team" tells of no home. */
function isPlausible({ attribute, value, how }: Slot): boolean {
  if (attribute === "home" && how === "change") return PLACE.test(value) && !NO_PLACE.test(value);
  if (attribute === "employer") return how !== "state" || contentOf(value).length > 0;
  return true;
}

const MAX_PERSON_CHARACTERS = 60;
/** What follows a value: "Bergen in May", "Philips on Monday". */
const CIRCUMSTANCE =
  / (?:now|nowadays|these days|again|instead|since|last|this|next|yesterday|because|for (?:good|the|a|my|work|love)|so|after|on \p{Lu}|in (?:19|20)\d\d|in (?:January|February|March|April|May|June|July|August|September|October|November|December|spring|summer|autumn|fall|winter)|over the|from|with|at the end|two|three|a (?:week|month|year|few)|and|but|when|where|which|who|already|permanently|full-time)(?![\p{L}]).*$/u;

/** Every way in which a clause fills a slot: "the user's brother" is a person of his own. */
function slotsOf(clause: string): Slot[] {
  const text = clause.replace(
    /^(?:.{1,40}? and )?the user(?: and .{1,40}?)?(?= (?:\p{Ll}))/u,
    "the user",
  );
  const slots: Slot[] = [];
  for (const { index } of text.slice(0, MAX_PERSON_CHARACTERS).matchAll(/(?:'s)? /gu)) {
    const person = text.slice(0, index).toLowerCase();
    const rest = text.slice(index);
    for (const { attribute, how, pattern } of PERSONAL_RULES) {
      const match = pattern.exec(rest);
      if (match === null) continue;
      const value = (match.groups?.value ?? "").replace(CIRCUMSTANCE, "").trim();
      slots.push({ person, attribute, how, value });
    }
  }
  return slots;
}
