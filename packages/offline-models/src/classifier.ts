import { readStatement, withSubject } from "@agent-memory/text";
import { type Change, changeOf, LIKELY, predicateOf, readNewFact } from "./changes.ts";
import { giveWay } from "./give-way.ts";
import type { NamedCandidate, SupersessionClassifier } from "./models.ts";
import { contentOf } from "./terms.ts";
import { isSameSubject } from "./whom.ts";

const MODEL = "attribute-change-14";

/** Compares short English facts word by word (D23b); what it cannot read replaces nothing. */
export function createLocalClassifier(): SupersessionClassifier {
  return {
    async classify({ fact, isRetraction, candidates }, { signal }) {
      const told = readNewFact(withSubject(fact.decision.replace(REASON, "")));
      const superseded: NamedCandidate[] = [];
      for (const [index, { decision }] of candidates.entries()) {
        await giveWay(signal);
        const change = isRetraction
          ? saidBefore(fact.decision, decision)
          : changeOf(told, withSubject(decision));
        if (change === null) continue;
        superseded.push({ index, confidence: change.confidence, reason: change.reason });
      }
      const reason = "No other candidate gives another value of what the fact states.";
      return { superseded, confidence: LIKELY, reason, model: MODEL };
    },
  };
}

/** Why it is so, and what is not so besides. */
const REASON = /,? because (?:of )?[^,.;]+(?=$|[,.;])|, [^,.;]{2,20} (?:no|not)(?=$|[.!])/iu;

/** What a user takes back: the older fact says it, perhaps with more. */
function saidBefore(text: string, older: string): Change | null {
  if (!isMeant(text, older)) return null;
  return { confidence: LIKELY, reason: "The user took back what it says.", isRepeat: true };
}

const DENIED = /\b(?:not|never|no longer|no|nobody|nothing|without)\b|n't\b/iu;

/** Whether all that was taken back is in the older fact, of the same person, or of whatever it is that was only named. */
function isMeant(text: string, older: string): boolean {
  if (DENIED.test(text) !== DENIED.test(older) || !isMeantBy(text, older)) return false;
  const [taken, previous] = [readStatement(text), readStatement(older)];
  if (taken.verbAt < 0 || previous.verbAt < 0) return true;
  const [{ subject: a }, { subject: b }] = [predicateOf(text), predicateOf(older)];
  // "I'm from Leeds" is not "supports Leeds United".
  const isOneWord = contentOf(text).length === 1;
  if (isOneWord && taken.words[taken.verbAt]?.key !== previous.words[previous.verbAt]?.key)
    return false;
  // What "we" use is the team's.
  const isOfTeam = a.toLowerCase() === "the user" && /\b(?:team|company|project|app)$/iu.test(b);
  return isSameSubject(a, b) || isOfTeam || isMeantBy(older, text);
}

/** Whether what is taken back was said, word by word: "my car, the Fiat" in "drives a Fiat". */
function isMeantBy(text: string, said: string): boolean {
  const known = contentOf(said);
  const wanted = contentOf(text);
  const isKnown = wanted.map((term) => known.some((other) => other.key === term.key));
  return (
    isKnown.includes(true) &&
    wanted.every(
      ({ concept }, i) =>
        isKnown[i] === true ||
        (concept !== null && known.some((other) => other.concept === concept)),
    )
  );
}
