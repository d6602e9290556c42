import { baseOfVerb, thirdPersonOf } from "./terms.ts";

/** What may stand before a verb whose subject is left out. */
const BEFORE_IT =
  /^(?:(?:just|finally|recently|also|now|have|has|already|officially|even|and|so|then|actually|lately|only|fully|completely|still|mostly) )+/u;
/** In the past form of these alone "I" is left out: other words look the same. */
const NEVER_ELIDED =
  /^(?:said|told|asked|thought|meant|let|put|set|hit|hurt|shut|read|cost|based|called|named|used|updated|related|attached|fixed|detailed|limited|required|supposed|needed|added|compared|given|known|seen|done|been|gone|hundred|indeed|speed|need|feed|seed|wicked|naked|sacred|advanced|red|married|engaged|divorced|retired|interested|excited|tired|bored|worried|confused|stuck|lost|thanked|listed|noted|linked|shared|mixed|unlimited|unread|hired|getting|trying|looking|wondering|having|being|asking|talking|speaking|regarding|following|including|according|thinking|considering|meeting|building|training|painting|cooking)$/u;

/** Whether "I" is left out, as before "moved to Rome". */
export function leavesOutSubject(text: string): boolean {
  const rest = `${text.charAt(0).toLowerCase()}${text.slice(1)}`.replace(BEFORE_IT, "");
  const word = /^[\p{L}']+/u.exec(rest)?.[0] ?? "";
  const isOwn = /^\S+ (?:my|our)\b/u.test(rest);
  if (NEVER_ELIDED.test(word) && !isOwn) return false;
  const base = baseOfVerb(word);
  const isThird = base !== undefined && word === thirdPersonOf(base);
  const isPast =
    /^\p{L}+[^e]ed$/u.test(word) ||
    (base !== undefined && (word !== base || /^(?:quit|cut)$/u.test(word)) && !isThird);
  return isPast && / /u.test(rest);
}
