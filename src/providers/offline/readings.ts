import { stemOf } from "../text/text.ts";
import type { Clause } from "./clauses.ts";
import type { Word } from "./grammar.ts";
import { readValue, subjectOf } from "./value.ts";
import {
  after,
  beginning,
  CHANGED,
  CHANGES,
  changing,
  DIRECTION,
  ENDED,
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
  /^(?:in|on|at|to|for|with|from|by|as|near|into|about|over|under|of|through|against|than)$/u;
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
  ["date", "-", "partner"],
  ["drive", "-", "drive"],
  ["attend", "-", "school"],
  ["study", "at", "school"],
  ["study major", "- in", "studies"],
  ["call name", "-", "name"],
  ["schedule happen occur meet plan", "on at for in", "is"],
  ["expire end run", "on in at", "until"],
  ["like love enjoy", "-", "liking"],
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
      if (!isPerson && !isPlace(to) && readValue(to).shape !== "proper") break;
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
      if (preposition !== "-" || isTimed(complement) || !isPerson) return [generic];
      return leaving(complement);
    case "quit":
    case "stop":
    case "give":
      return stopping(clause, complement);
    case "retrain":
    case "qualify":
      return preposition === "as" ? [says("is", object, CHANGED)] : [generic];
    case "step":
    case "resign":
      return [says("is", after(complement, /^as$/u), ENDED)];
    case "become":
      return [says("is", object, CHANGED)];
    case "promote":
      return isPassive || preposition === "to" ? [says("is", object, CHANGED)] : [generic];
    case "take":
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
      return beginning(clause, complement, object, generic);
    case "turn":
      return /^\d+$/u.test(first) ? [says("age", complement.slice(0, 1), CHANGED)] : [generic];
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
    case "sell":
    case "donate":
    case "lose":
      return ["verb:own", "verb:have", "drive"].map((of) => says(of, complement, ENDED));
    case "cancel":
    case "drop":
      if (has(complement, /^(?:to|from)$/u)) break;
      return ["verb:have", "verb:subscribe to", "plan", "use"].map((of) =>
        says(of, complement, ENDED),
      );
    case "break":
    case "split":
    case "separate": {
      const link = complement.findIndex(({ lower }) => /^(?:with|from)$/u.test(lower));
      return link < 0 ? [generic] : [says("partner", complement.slice(link + 1), ENDED)];
    }
    case "graduate":
      return preposition === "from" ? [says("school", object, ENDED)] : [generic];
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
  return [{ ...generic, attribute: attribute ?? generic.attribute }];
}

/** "left Bosch", "quit her job at Bosch", "left Berlin". */
function leaving(complement: readonly Word[]): Reading[] {
  if (isPlace(complement)) return [says("home", complement, ENDED)];
  const at = after(complement, /^(?:at|with)$/u);
  const to = complement.findIndex(({ lower }) => /^(?:to|for|after|because)$/u.test(lower));
  const left = at.length > 0 ? at : to > 0 ? complement.slice(0, to) : complement;
  return ["employer", "school", "team"].map((attribute) => says(attribute, left, ENDED));
}

/** "quit smoking" negates what "smokes" states; "gave up coffee" whatever one did with it. */
function stopping(clause: Clause, complement: readonly Word[]): readonly Reading[] {
  const isGiving = clause.verb === "give";
  const [first, ...rest] = isGiving ? complement.filter(({ lower }) => lower !== "up") : complement;
  if (first === undefined || (isGiving && complement[0]?.lower !== "up"))
    return [says(`verb:${clause.verb}`, complement)];
  if (first.lower.endsWith("ing")) {
    const isDated = PREPOSITION.test(rest[0]?.lower ?? "") && isTimed(rest.slice(1));
    const stopped = readingsOf({
      ...clause,
      verb: first.root === first.lower ? stemOf(first.lower) : first.root,
      complement: isDated ? [] : rest,
    });
    return stopped.map((reading) => ({ ...reading, ...ENDED }));
  }
  return [
    ...leaving([first, ...rest]),
    ...["drink", "eat", "smoke", "take", "play"].map((verb) =>
      says(`verb:${verb}`, [first, ...rest], ENDED),
    ),
    says("use", [first, ...rest], ENDED),
  ];
}
