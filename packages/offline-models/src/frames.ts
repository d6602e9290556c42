import { isSameForm, isSameGrade, isSameNumber, isSameWay, isSameWord } from "./frame-values.ts";
import { FRAMES_OF_PEOPLE } from "./frames-of-people.ts";
import { written } from "./wordings.ts";

/** By which words a value of an attribute is told. */
export interface FrameRule {
  /**
   * "is": so it is; "held": so it is, in words that say too little to end another value;
   * "became": so it became; "over": it is so no longer.
   */
  readonly how: "is" | "held" | "became" | "over";
  /**
   * Begins behind the subject, with a space or "'s"; or is of the whole clause and names in its
   * group `of` what it is about, the user if there is none. The group `value` is the value.
   */
  readonly pattern: RegExp;
  /** The value, where the words themselves say it: "single"; null: it is in the group. */
  readonly value: string | null;
  readonly isWhole: boolean;
}

/** An attribute of a person or thing, which has one value of it at a time. */
export interface Frame {
  readonly name: string;
  /** Another value ends it though no word says that it is new. */
  readonly isPlain: boolean;
  /** Which values a value ends, of those that words say by themselves; not listed: all others. */
  readonly ends: ReadonlyMap<string, readonly string[]>;
  /** Whether two values are the same; null: by their words. */
  readonly isSame: ((now: string, before: string) => boolean) | null;
  readonly rules: readonly FrameRule[];
}

/** Who is in charge of things, how they are and where, as `frames-of-people.ts` says of people. */
const FRAMES_OF_THINGS = String.raw`
# post, plain
is: ^<name> (?:is|was made|became|got|has become|serves as|acts as|took over as|takes over as|steps in as|stepped in as)(?: now)? (?:(?:the user's|their|our|the) )?(?:new )?(?<of><role>)<more>
is: ^(?:the user's|our|the) (?:new |current )?(?<of><role>) is(?: now| called| named)? <name>
is: ^the user reports to <name>
became: ^<name> (?:(?:has |have |is |was |will be )?(?:now |just )?(?:took|taken|takes|taking) over(?: as)?) (?<of>.{2,40}?)(?: from \p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?)?<more>
over: ^.+? (?:replaced|replaces|replacing|succeeded|succeeds|succeeding|follows|followed|stepped in for|took the place of|(?:took|taken|takes|taking) over (?:(?:as )?<of> )?from) <name>(?: as (?:the user's |our |the |their )?(?:new )?<role>)?
over: ^<name> <left>
# in charge, plain
is: ^<name> (?:does|owns|maintains|leads|manages|handles|heads|runs|chairs|coaches|looks after|is in charge of|is responsible for|is the (?:owner|maintainer|lead|contact|manager|head) (?:of|for)) <of><more>
is: ^<name> is (?:now |currently )?(?<of>on[ -]call|on duty)
is: ^<of> (?:is|was) (?:owned|maintained|led|managed|handled|headed|run) by <name>
is: ^<of> (?:is|was|got)(?: now)? (?:re)?assigned to <name>
became: ^<name> (?:has )?(?:took|taken) over (?<of>on[ -]call|the (?:pager|duty))
became: ^<name> (?:(?:has )?took|takes|has taken|is taking) over <of>(?: from \p{Lu}\p{L}+)?<more>
became: ^the user (?:has )?(?:re)?assigned <of> to <name>
became: ^the user (?:has )?handed <of> (?:over )?to <name>
over: ^<name> <left>
# favourite, plain
is: ^(?<of>.{1,30}'s (?:new |current |all-time |absolute )*(?:favou?rite|go-to|preferred) [\p{L} -]{2,30}?)(?: has)?(?: changed to| became| is| are)(?: now)? <value>
is: ^(?<value>.{2,40}?) (?:is|are|became|has become|have become)(?: now)? (?<of>(?:the user|\p{L}+)'s (?:new |current |all-time |absolute )*(?:favou?rite|go-to|preferred) [\p{L} -]{2,30}?)(?: now| these days| again)?$
# name or number, plain, same word
is: ^<secret> is (?:called |named )?<value>
became: ^(?:the user|they) (?:has |have )?(?:changed|updated|reset|set) <secret> to <value>
# property, plain, same form
is: ^<property> is (?:called |named )?<value>
became: ^(?:the user|they) (?:has |have )?(?:changed|updated|reset|set) <property> to <value>
`;

const HELPING =
  "(?: (?:has|have|had|got|is|are|am|was|were|been|being|be|just|now|finally|recently|officially|currently|since|then|both|already|still|all|actually|gladly|happily|mostly|usually|always|mainly|permanently|formally|legally|only|also|fully|started|begun))*";
const SAMENESS: Readonly<Record<string, Frame["isSame"]>> = {
  form: isSameForm,
  grade: isSameGrade,
  number: isSameNumber,
  way: isSameWay,
  word: isSameWord,
};
const RULE = /^(?:(?<value>[\p{L} -]+?) )?(?<how>is|held|became|over): (?<words>.+)$/u;

/** Every attribute that is known. */
export const FRAMES: readonly Frame[] = [
  ...framesIn(FRAMES_OF_PEOPLE),
  ...framesIn(FRAMES_OF_THINGS),
];

function framesIn(table: string): Frame[] {
  return table
    .trim()
    .split(/^# /mu)
    .filter(Boolean)
    .map((lines) => {
      const [heading = "", ...rest] = lines.trim().split("\n");
      const [name = "", ...options] = heading.split(", ");
      const same = options.find((option) => option.startsWith("same "))?.slice(5) ?? "";
      const ends = rest.flatMap((line) => {
        const [, now = "", before] = /^ends: (.+) > (.+)$/u.exec(line) ?? [];
        return before === undefined ? [] : [[now, before.split(", ")] as const];
      });
      return {
        name,
        isPlain: options.includes("plain"),
        ends: new Map(ends),
        isSame: SAMENESS[same] ?? null,
        rules: rest.filter((line) => !line.startsWith("ends: ")).map(ruleIn),
      };
    });
}

function ruleIn(line: string): FrameRule {
  const { value = null, how, words = "" } = RULE.exec(line)?.groups ?? {};
  if (how === undefined) throw new Error(`No rule of a frame: ${line}`);
  return ruleOf(how as FrameRule["how"], words, value);
}

function ruleOf(how: FrameRule["how"], words: string, value: string | null): FrameRule {
  const isWhole = words.startsWith("^");
  const opening = isWhole ? "" : words.startsWith("'s") ? "^" : `^${HELPING} `;
  const pattern = new RegExp(`${opening}(?:${written(words)})(?![\\p{L}\\p{N}])`, "u");
  return { how, pattern, value, isWhole };
}
