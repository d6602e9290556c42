import { baseOfVerb, thirdPersonOf } from "./terms.ts";

/** What may stand before a verb whose subject is left out. */
const BEFORE_IT =
  /^(?:(?:just|finally|recently|also|now|have|has|already|officially|even|and|so|then|actually|lately|only|fully|completely|still|mostly) )+/u;
/** In the past form of these alone "I" is left out: other words look the same. */
const NEVER_ELIDED =
  /^(?:said|told|asked|thought|meant|let|put|set|hit|hurt|shut|read|cost|based|called|named|used|updated|related|attached|fixed|detailed|limited|required|supposed|needed|added|compared|given|known|seen|done|been|gone|hundred|indeed|speed|need|feed|seed|wicked|naked|sacred|advanced|red|married|engaged|divorced|retired|interested|excited|tired|bored|worried|confused|stuck|lost|thanked|listed|noted|linked|shared|mixed|unlimited|unread|hired|getting|trying|looking|wondering|having|being|asking|talking|speaking|regarding|following|including|according|thinking|considering|meeting|building|training|painting|cooking)$/u;
/** Words in their present form with which nobody gives an order to an assistant. */
const OF_ONESELF =
  /^(?:(?:love|hate|prefer|live|work|rent|own|speak|drive|eat|drink|study|teach|bike|cycle|can't|cannot|play)\b|(?:always|usually) (?!.*\b(?:me|us|your?)\b))/u;
/** What is said of oneself without any verb: "back on nights", "down to one coffee a day". */
const PREDICATE =
  /^(?:no longer(?! than)|back (?:on|to|in(?! the day\b| \d| my\b| those\b)|at|with|from|home)|down to|up to|single|vegan|vegetarian|sober|part-time|full-time|allergic|retired|married|engaged|divorced|based|training for|getting (?:married|divorced)|originally from|from \p{Lu}|not an? (?:big |huge )?fan of)(?= \S|,|$)/u;
const PREDICATE_NOW =
  /^(?:now|currently) (?:(?:at|on|in|with)(?! (?:\d|half|noon|\p{L}+days?\b))|an?|the|based|living|working|driving|using)\b/u;
const HAVE = /^(?:also )?(?:used to|have (?:an?|one|two|three|four|no))\b/u;
const NEGATED =
  /^(?:don't|do not|does not|haven't|have not|never) (?!(?:worry|forget|mind|think|tell|get|know|be|say|ask|call|use|let|make|send|give|remind|do)\b)\p{L}+/u;
/** A subject follows: "Updated guide is online". */
const HAS_VERB = /^\S+ (?:\S+ ){0,4}(?:is|are|was|were|has|have)\b/u;

/** Of what is done, or was done once, this alone is worth remembering where "I" is left out. */
const LASTING =
  /^(?:(?:liv|work|study|learn|train|mov|expect|gett|plann|sav|rent|volunteer|teach|play|dat)ing|moved|relocated|joined|quit|passed|failed|won|retired|enrolled|inherited|adopted|graduated|switched|got|bought|sold|started|stopped|became|turned|signed|landed|left|lost|grew up|took up|gave up|made|broke|threw|tossed|weighed)\b/u;
/** "Took me eight lessons" is of something else. */
const OF_WHAT = /^\p{L}+ (?:me|us|you)\b/u;

type LeftOut = "I" | "I am" | "I was" | "I have";

/** What is left out before "moved to Rome", "no longer vegan" and "been off coffee"; null: nothing is. */
export function leftOut(text: string): LeftOut | null {
  return elidedIn(text)?.left ?? null;
}

/** Whether "I" is left out of what one does, or did, on a day like any other. */
export function isOfADay(text: string): boolean {
  return elidedIn(text)?.isOfADay ?? false;
}

function elidedIn(text: string): { left: LeftOut; isOfADay: boolean } | null {
  const always = (left: LeftOut) => ({ left, isOfADay: false });
  const lower = `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
  if (PREDICATE_NOW.test(lower)) return always("I am");
  if (NEGATED.test(lower) || HAVE.test(lower)) return always("I");
  const rest = lower.replace(BEFORE_IT, "");
  if (PREDICATE.test(rest)) return always("I am");
  if (/^been\b/u.test(rest)) return always("I have");
  if (/^born\b/u.test(rest)) return always("I was");
  const word = /^[\p{L}']+/u.exec(rest)?.[0] ?? "";
  const isOwn = /^\S+ (?:my|our)\b/u.test(rest);
  if (HAS_VERB.test(rest) || (NEVER_ELIDED.test(word) && !isOwn)) return null;
  if (OF_ONESELF.test(rest) || /^can (?!you|we|i\b|u\b|anyone|someone)/u.test(rest))
    return always("I");
  const base = baseOfVerb(word) ?? baseOfVerb(word.replace(/^re-?(?=\p{L}{3})/u, ""));
  const isThird = base !== undefined && word === thirdPersonOf(base);
  if (base !== undefined && word.endsWith("ing"))
    return { left: "I am", isOfADay: !LASTING.test(rest) };
  const isPast =
    /^\p{L}+[^e]ed$/u.test(word) ||
    (base !== undefined && (word !== base || /^(?:quit|cut)$/u.test(word)) && !isThird);
  return isPast && / /u.test(rest) && !OF_WHAT.test(rest)
    ? { left: "I", isOfADay: !LASTING.test(rest) }
    : null;
}
