import { EVENTS, NOUNS, TONGUES } from "./tongues.ts";

/** How people of one language speak of themselves. */
interface Tongue {
  /** Of the first person, up to its object; what it is in English. */
  readonly verbs: readonly (readonly [said: RegExp, english: string])[];
  readonly isNow: RegExp;
  readonly isNot: RegExp;
  readonly isNoLonger: RegExp;
  /** Words that are no part of an object, and those that may open it. */
  readonly particles: RegExp;
  readonly articles: RegExp;
  /** "My … is …" */
  readonly mine: RegExp;
  readonly forget: RegExp;
}

const ENGLISH_OF: ReadonlyMap<string, string> = new Map(
  linesOf(NOUNS).flatMap(([english, words]) =>
    words.split(" ").map((word) => [word.replaceAll("_", " "), english] as const),
  ),
);
const ENGLISH_NOUNS = new Set([...ENGLISH_OF.values()].flatMap((words) => words.split(" ")));
const NAME =
  "(?<name>\\p{Lu}[\\p{L}.&'’-]*(?: (?:de |del |la |am |an der )?\\p{Lu}[\\p{L}.&'’-]*){0,3})";
const KNOWN_EVENTS = linesOf(EVENTS).map(
  ([english, form]) =>
    [new RegExp(`^(?:${form.replace("<name>", NAME)})(?![\\p{L}])`, "u"), english] as const,
);
const KNOWN_TONGUES = TONGUES.trim()
  .split(/^# .*$/mu)
  .filter(Boolean)
  .map(tongueIn);

/** "Name: text", line by line. */
function linesOf(table: string): (readonly [name: string, text: string])[] {
  return table
    .trim()
    .split("\n")
    .map((line) => {
      const at = line.indexOf(": ");
      return [line.slice(0, at), line.slice(at + 2)];
    });
}

function tongueIn(lines: string): Tongue {
  const [speaker, now, not, noLonger, particles, articles, mine, forget, ...verbs] = linesOf(
    lines,
  ).map(([name, text]) => ({ name, text }));
  const word = (words = "") => new RegExp(`(?:^| )(?:${words})(?= |$)`, "giu");
  const [my, is] = (mine?.text ?? "").split(" / ");
  return {
    verbs: verbs.map(({ name, text }) => {
      const [forms = "", before = ""] = text.split(" / ");
      const isNeeded = /(?:live|work|from)/u.test(name) ? "" : "?";
      const opening = before === "" ? "" : `(?:(?:${before})(?: |(?<=')))${isNeeded}`;
      const time = `(?:(?:${now?.text}|${particles?.text}) )*`;
      return [
        new RegExp(
          `^${speaker?.text}(?:${forms})(?![\\p{L}]) ${time}${opening}(?<object>.+)$`,
          "u",
        ),
        name,
      ];
    }),
    isNow: word(now?.text),
    isNot: new RegExp(not?.text ?? "", "iu"),
    isNoLonger: new RegExp(noLonger?.text ?? "", "iu"),
    particles: word(`${now?.text}|${particles?.text}`),
    articles: new RegExp(`^(?:(?:${articles?.text}|${my})(?: |(?<=')))+`, "iu"),
    mine: new RegExp(`^(?:${my}) (?<what>\\p{L}+) (?:${is}) (?<value>.+)$`, "u"),
    forget: new RegExp(`^(?:bitte |por favor,? )?(?:${forget?.text})`, "iu"),
  };
}

const SOLD =
  /^(?:ich habe|wir haben) (?:\p{L}+ )*?(?:das|den|die|mein|meinen|meine|unser|unseren|unsere) (?<de>\p{L}+) verkauft|^(?:j'ai|on a|nous avons) vendu (?:la |le |ma |mon |notre )(?<fr>[\p{L}-]+)|^(?:vendí|he vendido|vendimos|hemos vendido|ho venduto|vendi) (?:el |la |mi |il |nuestro |nuestra |o )(?<es>\p{L}+)|^(?:ik heb|we hebben) (?:mijn|de|onze) (?<nl>\p{L}+) verkocht/iu;
const LEAD_IN =
  /^(?:(?:übrigens|also|ja|so|hallo|hey|hi|salut|bonjour|bon|alors|au fait|et|und|y|hola|bueno|por cierto|pues|endlich|enfin|por fin|bitte)[,!]? )+/iu;
/** "Ahora vivo en …" */
const NOW_FIRST = /^(?:ahora|adesso|ora) /iu;
const ELSE =
  /\?\s*$|\b(?:wenn|falls|vielleicht|möchte|würde|si|peut-être|voudrais|quizás?|ojalá|quiero|forse|se|als|misschien|vergiss nicht|oublie pas|n'oublie|no olvides|non dimenticare)\b/iu;
const MAX_CHARACTERS = 300;

/**
 * A short sentence of another language about oneself, in plain English: a home, a job, what
 * somebody has, eats or plays, what is otherwise now, and what is to be forgotten. null: it is
 * none, and the rest of those languages is not read.
 */
export function inEnglish(sentence: string): string | null {
  const told = sentence.slice(0, MAX_CHARACTERS).replaceAll("’", "'").trim();
  if (ELSE.test(told)) return null;
  const read = lowerFirst(told.replace(/[.!]+$/u, "").replace(LEAD_IN, ""));
  for (const tongue of KNOWN_TONGUES) {
    const [order = ""] = tongue.forget.exec(read) ?? [];
    if (order === "") continue;
    const what = verbSecond(read.slice(order.length).replace(/,.*$/u, ""));
    const said = statement(what, tongue) ?? eventIn(what) ?? thing(what, tongue);
    return said === null ? null : `forget ${said}`;
  }
  const plain = read.replace(NOW_FIRST, "");
  const event = eventIn(plain);
  if (event !== null) return event;
  for (const tongue of KNOWN_TONGUES) {
    const said = statement(plain.replace(/,.*$/u, ""), tongue);
    if (said !== null) return plain === read || said.endsWith(" now") ? said : `${said} now`;
  }
  return null;
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

function eventIn(text: string): string | null {
  const sold = Object.values(SOLD.exec(text)?.groups ?? {}).find((word) => word !== undefined);
  const noun = ENGLISH_OF.get(sold?.toLowerCase() ?? "");
  if (noun !== undefined) return `I sold the ${noun}`;
  for (const [form, english] of KNOWN_EVENTS) {
    const match = form.exec(text);
    if (match === null) continue;
    return english.replace("$<name>", match.groups?.name ?? match.groups?.name2 ?? "");
  }
  return null;
}

/** "Dass ich in Bremen wohne" as "ich wohne in Bremen". */
function verbSecond(clause: string): string {
  const [, who = "", rest = "", verb = ""] = /^(ich|wir|ik|we) (.+) (\p{L}+)$/iu.exec(clause) ?? [];
  const turned = `${who} ${verb} ${rest}`;
  return KNOWN_TONGUES.some(({ verbs }) => verbs.some(([said]) => said.test(turned)))
    ? turned
    : clause;
}

function statement(clause: string, tongue: Tongue): string | null {
  const { verbs, isNow, isNot, isNoLonger, particles, articles, mine } = tongue;
  for (const [said, english] of verbs) {
    const object = said.exec(clause)?.groups?.object;
    if (object === undefined) continue;
    const named = nounOf(object.replace(particles, " ").replace(/\s+/gu, " ").trim(), articles);
    if (!isKnown(named, OF_KINDS.test(english))) continue;
    const isOver = isNoLonger.test(clause);
    const isNegated = isOver || isNot.test(clause);
    const begun = isOver
      ? "I no longer"
      : isNegated
        ? "I do not"
        : ALSO.test(clause)
          ? "I also"
          : "I";
    const verb = isNegated ? english.replace(/ a$/u, "") : english;
    return `${begun} ${verb} ${named}${clause.search(isNow) >= 0 && !isNegated ? " now" : ""}`;
  }
  const { what = "", value = "" } = mine.exec(clause)?.groups ?? {};
  const noun = ENGLISH_OF.get(what.toLowerCase());
  const isValue = /^(?:[\p{N}+]\S*|\p{Lu}\S*|\S+@\S+)(?: \S+){0,4}$/u.test(value);
  return noun !== undefined && isValue ? `my ${noun} is ${value}` : null;
}

/** "Mon adresse" as "my address"; null: no noun is known. */
function thing(text: string, { articles }: Tongue): string | null {
  const noun = ENGLISH_OF.get(text.replace(articles, "").toLowerCase());
  return noun === undefined ? null : `my ${noun}`;
}

const ALSO = / (?:auch|aussi|también|anche|ook)(?= |$)/u;

/** What has no name: a capital letter is that of a German noun. */
const OF_KINDS = /^(?:eat|drink|like|have a)$/u;

/** Numbers and nouns that are known, names if there may be any, and nothing else. */
function isKnown(object: string, isOfKinds: boolean): boolean {
  const words = object.split(" ");
  const isNumberOrName = isOfKinds ? /^\p{N}/u : /^[\p{Lu}\p{N}]/u;
  return (
    words.length <= 4 && words.every((word) => isNumberOrName.test(word) || ENGLISH_NOUNS.has(word))
  );
}

/** Without articles, and in English where the noun is known. */
function nounOf(text: string, articles: RegExp): string {
  const bare = text.replace(articles, "");
  return (
    ENGLISH_OF.get(bare.toLowerCase()) ??
    bare.replace(/\p{L}+/gu, (word) => ENGLISH_OF.get(word.toLowerCase()) ?? word)
  );
}
