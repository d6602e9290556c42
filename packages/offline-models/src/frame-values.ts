import { contentOf, isNamedIn } from "./content.ts";

const ORDINALS =
  "zero first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(
    " ",
  );
const CARDINALS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** "Third grade", "grade three" and "3rd class" are one. */
export function isSameGrade(now: string, before: string): boolean {
  return gradeOf(now) === gradeOf(before);
}

function gradeOf(school: string): string {
  for (const word of school.toLowerCase().split(" ")) {
    const written = Number.parseInt(word, 10) || -1;
    const grade = Math.max(ORDINALS.indexOf(word), CARDINALS.indexOf(word), written);
    if (grade > 0) return String(grade);
  }
  return school.replace(/^uni$/u, "university");
}

/** How somebody gets to work, under one name. */
const WAYS: readonly (readonly [way: string, pattern: RegExp])[] = [
  ["bicycle", /\b(?:e-?)?(?:bik\p{L}*|bicycle|cycl\p{L}*)/u],
  ["foot", /\b(?:walk\p{L}*|foot)/u],
  ["car", /\b(?:driv\p{L}*|car|carpool\p{L}*)\b/u],
  ["metro", /\b(?:metro|subway|underground|tube|u-bahn)/u],
  ["train", /\b(?:train|rail|s-bahn|rer)/u],
  ["bus", /\bbus/u],
  ["tram", /\b(?:tram|streetcar)/u],
  ["scooter", /\b(?:scooter|moped|vespa|motorbike|motorcycle)/u],
];

export function isSameWay(now: string, before: string): boolean {
  const [a, b] = [now, before].map((told) => WAYS.find(([, way]) => way.test(told))?.[0] ?? told);
  return a === b;
}

/** Two values of the same form differ; of others each may hold beside the other. */
export function isSameForm(now: string, before: string): boolean {
  if (isNamedIn(now, before) || isNamedIn(before, now) || now === before) return true;
  const forms = [/\d/u, /^(?:the )?\p{Lu}/u, /^an? /u];
  return !forms.some((form) => form.test(now) && form.test(before));
}

/** Of what has a name or a number one word differs from another. */
export function isSameWord(now: string, before: string): boolean {
  const isOne = [now, before].every((value) => /^\S+$/u.test(value));
  return isOne ? now === before : isSameForm(now, before);
}

export function isSameNumber(now: string, before: string): boolean {
  const [a, b] = [now, before].map((value) =>
    CARDINALS.includes(value) ? CARDINALS.indexOf(value) : Number(value),
  );
  return a === b;
}

const PLACE =
  /^(?:(?:the|an?|my|their|his|her|the user's) )?(?:\p{Lu}|\p{L}*(?:city|town|village|country\p{L}*|coast|suburbs?|outskirts|mountains|island|seaside|farm|centre|center|flat|apartment|house|studio|loft|place|home|parents))/u;
const NO_PLACE =
  /^(?:Linux|Windows|Mac\p{L}*|Android|Obsidian|Notion|Slack|Teams|GitHub|GitLab)\b/u;
const OCCUPATION =
  /(?:ist|ician|eer|yer|ographer|smith|keeper|worker|officer|clerk|guard|nurse|carer|paralegal|driver|cook|baker|butcher|builder|painter|cleaner|roofer|trainer|singer|dancer|writer|producer|broker|planner)$/u;

const SEVERAL = new RegExp(`^(?:\\d|(?:${CARDINALS.join("|")}|several|many|some|no|few)\\b)`, "u");

/** Whether what stands where a value is told may be one: "moved to the data team" tells of no home. */
export function isPlausible(frame: string, value: string, isChange: boolean): boolean {
  switch (frame) {
    case "home":
      return !isChange || (PLACE.test(value) && !NO_PLACE.test(value));
    case "employer":
      return isChange || /\p{Lu}/u.test(value);
    case "title":
      return (
        !SEVERAL.test(value) &&
        contentOf(value).some(
          ({ kinds, folded }) => kinds.includes("title") || OCCUPATION.test(folded),
        )
      );
    case "studies":
      return !contentOf(value).some(({ kinds }) => kinds.includes("language"));
    default:
      return true;
  }
}
