import type { Clause } from "./clause.ts";
import type { Word } from "./grammar.ts";
import { baseOfVerb } from "./terms.ts";
import { readValue, subjectOf } from "./value.ts";
import {
  after,
  beforeAndTo,
  CHANGED,
  CHANGES,
  changing,
  DIRECTION,
  has,
  isPlace,
  isTimed,
  type Reading,
  says,
  statesOf,
  upTo,
} from "./verb-readings.ts";

const PREPOSITION =
  /^(?:in|on|at|to|for|with|from|by|as|near|into|about|over|under|of|until|till|through|against|than)$/u;
const LED_BY = /^(?:handle|own|lead|manage|run|maintain|chair|teach|organi[sz]e|head)$/u;
const TEAM = /^(?:team|department|group|division|squad)$/u;

/** What verbs that need no more say of their object: the verbs, the prepositions ("-": none), the attribute, what more it tells. */
const OBJECTS: readonly (readonly [string, string, string, Partial<Reading>?])[] = [
  ["live reside sit stay base locate headquarter settle", "in at on", "home"],
  ["work", "at for", "employer"],
  ["employ", "by at", "employer"],
  ["prefer", "-", "prefer"],
  ["report", "to", "manager"],
  ["engage", "to", "partner"],
  ["marry", "- to", "partner", CHANGED],
  ["date", "-", "partner"],
  ["cost", "-", "price"],
  ["drive", "-", "drive"],
  ["attend", "-", "school"],
  ["study", "at", "school"],
  ["study major", "- in", "studies"],
  ["call name", "-", "name"],
  ["rename", "to", "name", CHANGED],
  ["schedule happen occur meet plan", "on at for in", "is"],
  ["become rename promote", "-", "is", CHANGED],
  ["promote", "to", "is", CHANGED],
  ["retrain qualify", "as", "is", CHANGED],
  ["expire end run last extend", "on in at until till", "until"],
  ["like love enjoy stand bear", "-", "liking"],
  ["hate dislike", "-", "liking", { isNegated: true }],
];
const READING_OF_OBJECT = new Map(
  OBJECTS.flatMap(([verbs, prepositions, attribute, more]) =>
    verbs
      .split(" ")
      .flatMap((verb) =>
        prepositions.split(" ").map((word) => [`${verb} ${word}`, { attribute, ...more }] as const),
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
  const known = READING_OF_OBJECT.get(`${verb} ${preposition}`);
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
  if (ENDING.has(verb) || PHRASAL_ENDINGS.test(`${verb} ${first}`))
    return ending(clause, complement, generic);
  if (isPassive && preposition === "by" && LED_BY.test(verb)) return [says("led by", object)];
  switch (verb) {
    case "be":
      return statesOf(clause, complement, preposition, object);
    case "move":
    case "relocate":
    case "transfer":
    case "return": {
      const { before, to } = beforeAndTo(complement);
      const isOwnMove = before.every(
        ({ lower }) => DIRECTION.test(lower) || lower === "again" || lower === "in",
      );
      if (to === null || !isOwnMove || (isTimed(to) && !isPlace(to))) break;
      if (has(to, TEAM)) return [says("team", to, CHANGED)];
      if (!isPerson) return ["home", "is"].map((of) => says(of, to, CHANGED));
      if (verb !== "transfer") return [says("home", to, CHANGED)];
      return ["school", "employer"].map((of) => says(of, to, CHANGED));
    }
    case "hire":
      if (!isPassive) break;
      return [says("employer", object, CHANGED)];
    case "join":
      return has(complement, TEAM)
        ? [says("team", complement, CHANGED)]
        : readValue(complement).shape === "proper"
          ? [says("employer", upTo(complement, /^as$/u), CHANGED)]
          : [generic];
    case "leave":
      if (!isPerson && isTimed(object)) return [says("is", object)];
      return preposition === "-" ? ending(clause, complement, generic) : [generic];
    case "take":
      if (first !== "over") break;
      if (has(complement, /^as$/u)) return [says("is", after(complement, /^as$/u), CHANGED)];
      return [
        says("led by", subject, { ...CHANGED, subject: upTo(complement.slice(1), /^from$/u) }),
      ];
  }
  const isOfDefinite = complement[0]?.isPossessive || /^(?:the|our|my)$/u.test(first);
  if (LED_BY.test(verb) && isOfDefinite) return [says("led by", subject, { subject: complement })];
  const changed = CHANGES.has(verb) ? changing(clause, complement) : [];
  if (changed.length > 0) return changed;
  const isChange = isPassive && CHANGES.has(verb);
  return [{ ...generic, isChange, ...known }];
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
