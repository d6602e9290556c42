import { isStopWord, wordsOf } from "@agent-memory/text";
import type { Context } from "./claim.ts";
import type { Clause } from "./clauses.ts";
import { hasMarker, type Language, markersIn, UNSPACED } from "./languages.ts";
import { type Weight, weightOf } from "./weight.ts";
import { indexWords } from "./words.ts";

/** So near behind "she told me" begins what was told. */
const MAX_LEAD_CHARACTERS = 30;
/** So near to its end a clause leads to the next: "Kolega powiedział mi," */
const MAX_TAIL_CHARACTERS = 8;
/** No article is as long. */
const MIN_NAME_CHARACTERS = 4;
/** Languages whose verbs need no subject. */
const WITHOUT_SUBJECT: ReadonlySet<Language> = new Set(["es", "it", "pt", "pl", "ja", "zh"]);

/**
 * Whether what a fact says of the user is what others say: of themselves ("Peter told me
 * he has a boat"), or of the user, who does not confirm it ("LinkedIn says I live in Bern").
 */
export function hearsay(context: Context): Weight {
  const { about, clauses, evidence, folded, language } = context;
  if (!about.isSubject && about.things.length === 0) return null;
  if (hasMarker(folded, language, "report")) return null;
  const { has } = indexWords(context.fact);
  const told = clauses.map((clause) =>
    toldIn(clause, context.leading(clause), evidence.language, (words) =>
      wordsOf(words).some(
        (word) => word.length >= MIN_NAME_CHARACTERS && !isStopWord(word) && has(word),
      ),
    ),
  );
  const ofThemselves = weightOf(told, (each) => each === "of themselves");
  if (ofThemselves !== null) return ofThemselves;
  return told.includes("of the user") ? "mild" : null;
}

/** Of whom a clause tells what someone else says; null: it does not, or the speaker says it. */
function toldIn(
  clause: Clause,
  leading: Clause | null,
  language: Language,
  isInFact: (words: string) => boolean,
): "of themselves" | "of the user" | null {
  const here = reportIn(clause.folded, language, isInFact);
  // In Japanese what is told comes first.
  if (here !== null && language === "ja")
    return ofWhom(clause.folded.slice(0, here.start), language);
  if (here !== null) return ofWhom(clause.folded.slice(here.end), language);
  const before = leading === null ? null : reportIn(leading.folded, language, isInFact);
  if (leading === null || before === null) return null;
  const leads = leading.folded.length - before.end <= MAX_TAIL_CHARACTERS || before.start === 0;
  return leads ? ofWhom(clause.folded, language) : null;
}

/** The first word of saying or thinking, unless the speaker says it, or whom the fact is about. */
function reportIn(folded: string, language: Language, isInFact: (words: string) => boolean) {
  const [report] = markersIn(folded, language, "report");
  if (report === undefined) return null;
  const lead = folded.slice(0, report.start);
  return hasMarker(lead, language, "speaker") || (!UNSPACED.has(language) && isInFact(lead))
    ? null
    : report;
}

function ofWhom(told: string, language: Language): "of themselves" | "of the user" | null {
  const [speaker, other] = (["speaker", "other"] as const).map(
    (marker) => markersIn(told, language, marker)[0]?.start ?? Number.POSITIVE_INFINITY,
  ) as [number, number];
  if (Math.min(speaker, other) <= MAX_LEAD_CHARACTERS) {
    return speaker < other ? "of the user" : "of themselves";
  }
  const hasContent = UNSPACED.has(language) || told.trim().includes(" ");
  return WITHOUT_SUBJECT.has(language) && hasContent ? "of themselves" : null;
}
