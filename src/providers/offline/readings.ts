import type { Clause } from "./clauses.ts";
import type { Word } from "./grammar.ts";
import { baseOfVerb } from "./terms.ts";
import { readValue, subjectOf } from "./value.ts";
import {
  after,
  beginning,
  CHANGED,
  CHANGES,
  changing,
  DIRECTION,
  fromAndTo,
  has,
  isPlace,
  isTimed,
  preferring,
  type Reading,
  replacing,
  says,
  statesOf,
  upTo,
  using,
  workOf,
} from "./verb-readings.ts";

const PREPOSITION =
  /^(?:in|on|at|to|for|with|from|by|as|near|into|about|over|under|of|until|till|through|against|than)$/u;
const LED_BY = /^(?:handle|own|lead|manage|run|maintain|chair|teach|organi[sz]e|head)$/u;
const TEAM = /^(?:team|department|group|division|squad)$/u;

/** What verbs that need no more say of their object: the verbs, the prepositions ("-": none), the attribute. */
const OBJECTS: readonly (readonly [verbs: string, prepositions: string, attribute: string])[] = [
  ["live reside sit stay base locate headquarter", "in at on", "home"],
  ["settle", "in", "home"],
  ["work", "at for", "employer"],
  ["employ", "by at", "employer"],
  ["work", "as", "is"],
  ["report", "to", "manager"],
  ["engage", "to", "partner"],
  ["cost", "-", "price"],
  ["date", "-", "partner"],
  ["drive", "-", "drive"],
  ["attend", "-", "school"],
  ["study", "at", "school"],
  ["study major", "- in", "studies"],
  ["call name", "-", "name"],
  ["schedule happen occur meet plan", "on at for in", "is"],
  ["expire end run last extend", "on in at until till", "until"],
  ["like love enjoy stand bear", "-", "liking"],
];
const ATTRIBUTE_OF_OBJECT = new Map(
  OBJECTS.flatMap(([verbs, prepositions, attribute]) =>
    verbs
      .split(" ")
      .flatMap((verb) =>
        prepositions.split(" ").map((word) => [`${verb} ${word}`, attribute] as const),
      ),
  ),
);

/** What a clause says of its subject, in every way it can be read; the first ways are the surest. */
export function readingsOf(clause: Clause): readonly Reading[] {
  const { verb, subject, isPassive } = clause;
  const complement = clause.complement.filter(({ lower }) => lower !== "just");
  const first = complement[0]?.lower ?? "";
  const preposition = PREPOSITION.test(first) && complement.length > 1 ? first : "-";
  const object = preposition === "-" ? complement : complement.slice(1);
  const { isPerson } = subjectOf(subject);
  const attribute = ATTRIBUTE_OF_OBJECT.get(`${verb} ${preposition}`);
  const generic = {
    attribute: `verb:${verb}${preposition === "-" ? "" : ` ${preposition}`}`,
    value: object,
  };

  // "The ticket was closed" says how the ticket is.
  if (isPassive && complement.length === 0) return [says("is", clause.words.slice(-1), CHANGED)];
  const participle = clause.words
    .slice(0, clause.words.length - clause.complement.length)
    .slice(-1);
  if (isPassive && readValue(participle).kinds.has("state")) {
    const state = [...participle, ...complement];
    return statesOf(clause, state, "-", state);
  }
  const rebuilt = isPassive ? AGAIN.exec(verb)?.[1] : undefined;
  if (rebuilt !== undefined) {
    return readingsOf({ ...clause, verb: rebuilt }).map((reading) => ({ ...reading, ...CHANGED }));
  }
  // Participles that look like other words: "was cut to $10", "was extended until May".
  const base = baseOfVerb(first) ?? "";
  if (verb === "be" && CHANGES.has(base) && PREPOSITION.test(complement[1]?.lower ?? "")) {
    return readingsOf({ ...clause, verb: base, isPassive: true, complement: complement.slice(1) });
  }
  if (ENDING.has(verb) || isPhrasalEnding(verb, first)) return ending(clause, complement, generic);
  if (isPassive && preposition === "by" && LED_BY.test(verb)) return [says("led by", object)];
  switch (verb) {
    case "be":
      return statesOf(clause, complement, preposition, object);
    case "work":
      return workOf(preposition, object, generic);
    case "move":
    case "relocate":
    case "transfer":
    case "return": {
      const { before, to, from } = fromAndTo(complement);
      const isOwnMove = before.every(
        ({ lower }) => DIRECTION.test(lower) || lower === "again" || lower === "in",
      );
      if (to === null || !isOwnMove || (isTimed(to) && !isPlace(to))) break;
      const moved = from === null ? CHANGED : { ...CHANGED, former: from };
      if (has(to, TEAM)) return [says("team", to, moved)];
      if (!isPerson) return ["home", "is", "switch"].map((of) => says(of, to, moved));
      if (verb !== "transfer") return [says("home", to, moved)];
      return ["school", "employer", "switch"].map((of) => says(of, to, moved));
    }
    case "hire":
      return isPassive ? [says("employer", object, CHANGED)] : [generic];
    case "join":
      return has(complement, TEAM)
        ? [says("team", complement, CHANGED)]
        : readValue(complement).shape === "proper"
          ? [says("employer", upTo(complement, /^as$/u), CHANGED)]
          : [generic];
    case "go":
      if (!readValue(complement).kinds.has("diet")) break;
      return [says("is", complement, CHANGED)];
    case "hand": {
      const { before, to } = fromAndTo(complement);
      const handed = before.filter(({ lower }) => !/^(?:over|off)$/u.test(lower));
      return to === null ? [generic] : [says("led by", to, { ...CHANGED, subject: handed })];
    }
    case "depart":
    case "leave":
      if (!isPerson && isTimed(object)) return [says("is", object)];
      return preposition === "-" ? ending(clause, complement, generic) : [generic];
    case "retrain":
    case "qualify":
      return preposition === "as" ? [says("is", object, CHANGED)] : [generic];
    case "become":
      return [says("is", object, CHANGED)];
    case "promote":
      return isPassive || preposition === "to" ? [says("is", object, CHANGED)] : [generic];
    case "take":
      if (first === "over" && has(complement, /^as$/u)) {
        return [says("is", after(complement, /^as$/u), CHANGED)];
      }
      if (first === "over") {
        return [
          says("led by", subject, {
            ...CHANGED,
            subject: upTo(
              object.length < complement.length ? object : complement.slice(1),
              /^from$/u,
            ),
          }),
        ];
      }
      return beginning(clause, complement, object, generic);
    case "get":
    case "accept":
    case "have":
    case "start":
    case "begin":
    case "land":
    case "find":
    case "learn":
      return beginning(clause, complement, object, generic);
    case "turn":
      return isPerson && readValue(complement.slice(0, 1)).kinds.has("number")
        ? [says("age", complement.slice(0, 1), CHANGED)]
        : [generic];
    case "rename":
      return [says(preposition === "to" ? "name" : "is", object, CHANGED)];
    case "marry":
      return [says("partner", object, CHANGED)];
    case "use":
      return using(complement);
    case "prefer":
      return preferring(complement);
    case "hate":
    case "dislike":
      return [says("liking", complement, { isNegated: true })];
    case "replace":
      return replacing(clause, complement);
    case "handle":
    case "lead":
    case "manage":
    case "chair":
    case "head":
    case "run":
      if (!has(complement.slice(0, 1), /^(?:the|our|my)$/u) && complement[0]?.isPossessive !== true)
        break;
      return [says("led by", subject, { subject: complement })];
  }
  const changed = CHANGES.has(verb) ? changing(clause, complement) : [];
  if (changed.length > 0) return changed;
  const isChange = isPassive && CHANGES.has(verb);
  return [{ ...generic, attribute: attribute ?? generic.attribute, isChange }];
}

/** Verbs that say of their object that it is over, whatever the subject had to do with it. */
const ENDING = new Set(
  `quit stop sell donate lose cancel drop delete uninstall remove abandon ditch discontinue scrap terminate resign separate
  graduate divorce finish complete`.split(/\s+/u),
);
const PHRASAL_ENDINGS =
  /^(?:give (?:up|away)|break (?:up|off)|split (?:up|with|from)|step (?:down|back)|call off|get rid|cut out|throw (?:away|out)|pull out|back out|opt out)$/u;
const PARTICLE = /^(?:up|off|out|away|down|back|rid|of|from|with|as)$/u;
const AGAIN = /^re((?:write|build|design|brand|make))$/u;

function isPhrasalEnding(verb: string, particle: string): boolean {
  return PHRASAL_ENDINGS.test(`${verb} ${particle}`);
}

/** "left Bosch", "quit her job at Bosch", "gave up coffee", "dropped out of school". */
function ending(clause: Clause, complement: readonly Word[], generic: Reading): Reading[] {
  const begin = complement.findIndex(({ lower }) => !PARTICLE.test(lower));
  const ended = upTo(
    complement.slice(begin),
    clause.verb === "leave" ? /^(?:to|for|after|because|and)$/u : /^(?:to|after|because|and)$/u,
  );
  if (begin < 0 || clause.isPassive || (has(complement, /^to$/u) && CHANGES.has(clause.verb)))
    return [generic];
  return [says("ended", ended, CHANGED)];
}
