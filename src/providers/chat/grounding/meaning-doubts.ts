import { fold } from "../../../domain/folding.ts";
import { formatInstant } from "../../../domain/instant.ts";
import { type Context, heavier, type Weight, weightOf } from "./claim.ts";
import type { ReadConversation } from "./evidence.ts";
import { hasMarker, markersIn } from "./languages.ts";
import { denies } from "./meaning.ts";
import { presentOfPast } from "./tense.ts";
import { contentWords, indexWords } from "./words.ts";
import { writtenDates } from "./written-dates.ts";

export function negation(context: Context): Weight {
  const { folded, language, meanings, answer: given, evidence, isSameLanguage } = context;
  const isDenied = denies(folded, language);
  const isReversed = hasMarker(folded, language, "reversal");
  if (given === "no") {
    const wasDenied = meanings.some((meaning) => meaning.denies);
    return isDenied || isReversed || wasDenied ? null : "grave";
  }
  const lost = weightOf(meanings, (meaning) => meaning.denies);
  // "Avoids gluten" may say what "I don't eat gluten" says.
  if (lost !== null && !isDenied) return isReversed ? "mild" : lost;
  if (isDenied) {
    const borne = context.quotedMeanings.some(
      (meaning) => meaning.denies || meaning.reverses || meaning.isPast,
    );
    if (borne) return null;
    const isNear =
      isSameLanguage &&
      (hasMarker(fold(evidence.question), evidence.language, "negation") ||
        !isSaidOtherwise(context));
    return isNear ? "mild" : "grave";
  }
  return null;
}

/** Whether the words that a fact denies are those that the user affirms; else it may be a paraphrase. */
function isSaidOtherwise({ folded, language, clauses }: Context): boolean {
  const [first] = markersIn(folded, language, "negation");
  const denied = contentWords(folded.slice(first?.end ?? 0)).filter((word) => !ATTITUDE.test(word));
  const { has } = indexWords(clauses.map(({ text }) => text).join("\n"));
  return denied.every(has);
}

const ATTITUDE =
  /\b(?:lov(?:es?|ed)|lik(?:es?|ed)|prefers?|enjoys?|adores?|favou?rite|hates?|dislikes?|mag|liebt|bevorzugt|aime|adore|prefere|gusta|encanta|prefiere|piace|ama|preferisce|gosta|adora|prefere|houdt|lubi|woli|uwielbia)\b|好き|喜欢|爱/u;

const WHEN = /\b(?:when|whenever|wenn|quand|lorsque|cuando|quando|wanneer|gdy|kiedy)\b|とき|时/u;
const ALWAYS =
  /\b(?:always|never|nie|jamais|nunca|mai|nooit|nigdy|every|all|severely|immer|jede\p{L}*|toujours|siempre|sempre|altijd|elke|zawsze)\b|いつも|总是|每/u;
const SOMETIMES =
  /\b(?:sometimes|occasionally|now and then|every now|from time to time|might|manchmal|gelegentlich|parfois|a veces|a volte|qualche volta|as vezes|soms|czasem|czasami)\b|時々|たまに|有时|偶尔/u;

/** "Has lived in Rome since 2014": what began in the past and is so now. */
const GOES_ON = /\b(?:has|have) (?:been )?\S+(?:ed|ing|nown|een|ept|eld|one) .*\bsince\b/u;

/** What is said in jest, or means the opposite. */
const JEST =
  /(?<!\p{L})(?:yeah,? right|just kidding|(?:only|totally) joking|jk|sure,? and|just what i (?:need|love|want)\p{L}*|said no one ever|as if|in my dreams|\/s|na klar,? und|nur spass|kleiner scherz|bien sur,? et|je (?:plaisante|rigole)|si,? claro,? y|es broma|sto scherzando|certo,? e io|brincadeira|estou a brincar|grapje|geintje|zartuj\p{L}*)(?!\p{L})|冗談|なんてね|开玩笑|才怪|🙄/u;
/** What may be said so, and what is put too strongly. */
const LIGHTLY =
  /(?<!\p{L})(?:(?:great|wonderful|fantastic|brilliant|perfect|lovely), |oh (?:great|joy|wonderful|lovely)|basically|practically|virtually|as good as|ha+ ?ha|scherzo|zart)(?!\p{L})/u;

export function modality(context: Context): Weight {
  const { folded, language, meanings, answer: given, read, fact } = context;
  const has = (marker: "wish" | "past" | "pastForm" | "condition" | "reversal") =>
    hasMarker(folded, language, marker);
  const isFuture = has("wish") || has("condition") || isAhead(fact, read);
  const isConditional = isFuture || WHEN.test(folded);
  const isOver =
    !GOES_ON.test(folded) &&
    (has("past") || has("pastForm") || has("reversal") || denies(folded, language));
  if (given === "no") return null;
  const tense = presentOfPast(context);
  if (tense === "grave") return "grave";
  const said = fold(context.passage);
  if (JEST.test(said)) return "grave";
  const jest = LIGHTLY.test(said) ? "mild" : null;
  if (ALWAYS.test(folded) && meanings.length > 0 && SOMETIMES.test(fold(context.passage))) {
    return "grave";
  }
  // "Heights? No thanks": whoever asks and answers asks nothing.
  const isAnswered = !context.quotedMeanings.every(({ asks }) => asks);
  const askedOf = weightOf(meanings, ({ asks }) => asks);
  const asked = askedOf === "grave" && isAnswered ? "mild" : askedOf;
  const weights: readonly Weight[] = [
    given === null ? asked : null,
    isFuture ? null : weightOf(meanings, ({ wishes, denies: isDenied }) => wishes && !isDenied),
    isOver ? null : weightOf(meanings, ({ isPast }) => isPast),
    isConditional || given !== null ? null : weightOf(meanings, ({ supposes }) => supposes),
  ];
  const weight = weights.reduce(heavier, heavier(tense, jest));
  // "I'd take tea over coffee any day" says what someone likes.
  return weight === "grave" &&
    ATTITUDE.test(folded) &&
    !denies(folded, language) &&
    given === null &&
    !meanings.every(({ asks }) => asks)
    ? "mild"
    : weight;
}

/** Whether a fact gives a date that is still to come. */
function isAhead(fact: string, { at }: ReadConversation): boolean {
  const today = formatInstant(at).slice(0, 10);
  return writtenDates(fold(fact)).some(({ readings }) =>
    readings.some(({ year, month, day }) => {
      if (year === undefined) return true;
      const parts = [year, month, day].flatMap((part) => part ?? []);
      const written = parts.map((part, i) => String(part).padStart(i === 0 ? 4 : 2, "0")).join("-");
      return written >= today.slice(0, written.length);
    }),
  );
}
