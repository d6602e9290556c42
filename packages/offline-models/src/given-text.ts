import { OF_ONESELF } from "./remarks.ts";

/** What of a message is the user's own, and whether they speak of themselves in what is not. */
export interface OwnWords {
  readonly text: string;
  /** A text from elsewhere, or to work on, has "I" or "my". */
  readonly isGiven: boolean;
}

/** "> …", "```" and lines of a log are left out without a word: nobody says anything in them. */
const OF_A_MACHINE =
  /^\s*(?:>|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?(?:FATAL|ERROR|WARN(?:ING)?|INFO|DEBUG|NOTICE|DETAIL|HINT)\b)/u;
const FENCED = /^\s*(?:```|~~~)/u;
/** "From: …" of a mail, "---------- Forwarded message ---------": what follows is of somebody else. */
const MAIL =
  /^\s*(?:(?:From|Sent|Subject)[:：]\s*\S|-{3,20} ?\p{L}[^-]{0,80}-{3,20}\s*$)|^On .{6,80} wrote:\s*$/u;
/** "Anna: …", "[10:32] Anna B.: …" */
const LABELLED =
  /^\s*(?<time>\[[^\]]{1,30}\]\s*|\d{1,2}:\d\d(?::\d\d)?\s*[-–]?\s*)?(?<label>\p{Lu}[\p{L}\p{N}.' -]{0,30}|system|assistant|user|human):\s*\S/u;
/** Whoever has one of these names wrote a transcript, or a text that plays one. */
const ROLE = /^(?:system|assistant|user|human|tool|developer|instructions?)$/iu;
/** "Translate this: …", "Here is the mail from my tenant: …", "She wrote: …" */
const HANDED_ON =
  /\b(?:[Tt]ranslate|[Pp]roofread|[Ss]ummari[sz]e|[Rr]ewrite|[Rr]ephrase|[Cc]orrect|[Ee]dit|[Ii]mprove|[Pp]olish|[Ss]horten)\b[^.!?:\n]{0,80}:(?=\s|$)|\b(?:the|this|an?|his|her|their|following) (?:\p{L}+ ){0,2}(?:e?-?mail|message|letter|post|review|chat|transcript|article|ad|poem|story|text)s?\b[^.!?:\n]{0,40}:(?=\s|$)|\b(?:he|she|they|\p{Lu}\p{Ll}+) (?:wrote|writes|sent|said|says|posted)\b[^.!?:\n]{0,40}:(?=\s|$)/u;
/** Whoever is quoted speaks of themselves; longer texts quote in lines of their own. */
const QUOTED = /"[^"]{20,2000}"|“[^”]{20,2000}”|:\s*(?:['‘].{10,2000}?['’](?![\p{L}\p{N}]))/gsu;
const MAX_QUOTING_CHARACTERS = 8_000;

/** A message without quotations, mails, transcripts, code, logs and texts to work on. */
export function ownWords(message: string): OwnWords {
  const lines = message.split("\n");
  const labels = lines.map((line) => LABELLED.exec(line)?.groups);
  const times = new Map<string, number>();
  for (const { label = "" } of labels.filter((each) => each !== undefined))
    times.set(label, (times.get(label) ?? 0) + 1);
  const own: string[] = [];
  let isFenced = false;
  let isGiven = false;
  for (const [i, line] of lines.entries()) {
    if (FENCED.test(line)) isFenced = !isFenced;
    if (isFenced || FENCED.test(line) || OF_A_MACHINE.test(line)) continue;
    const { label = "", time } = labels[i] ?? {};
    const isSpoken = time !== undefined || ROLE.test(label) || (times.get(label) ?? 0) > 1;
    const handedOn = HANDED_ON.exec(line);
    const end = MAIL.test(line) ? 0 : handedOn === null ? -1 : handedOn.index + handedOn[0].length;
    if (label !== "" && isSpoken) isGiven ||= OF_ONESELF.test(line);
    else if (end < 0) own.push(line);
    else {
      own.push(line.slice(0, end).replace(/[^.!?]*$/u, ""));
      const given = [line.slice(end), ...lines.slice(i + 1)].join("\n");
      isGiven ||= OF_ONESELF.test(given);
      break;
    }
  }
  const text = own.join("\n");
  if (text.length > MAX_QUOTING_CHARACTERS) return { text, isGiven };
  const unquoted = text.replace(QUOTED, (quoted) => {
    if (!OF_ONESELF.test(quoted)) return quoted;
    isGiven = true;
    return "";
  });
  return { text: unquoted, isGiven };
}

/** "Let's role-play", "pretend you are my doctor", "in this story I am a spy". */
const PLAYS =
  /\brole-?\s?play\w*|^(?:(?:please|ok|okay|now|so|let's|can you|could you|would you|i want you to|i'd like you to)[, ]+)*(?:pretend|imagine|act as|act like)\b(?! (?:i (?:never|didn't|hadn't)|that i (?:never|didn't|hadn't)))|\byou are now an?\b|\b(?:in (?:this|the|my|our) (?:\p{L}+ )?(?:story|novel|book|game|scene|campaign|screenplay|movie|film|play|fiction)),? (?:i|you)(?:'m|'re)?\b|\b(?:you are|you're) an? [^.!?]{2,40} and (?:i am|i'm) an?\b|^(?:we|let's) play an? (?:game|scene)|\bin character\b/iu;
const STOPS_PLAYING =
  /\b(?:out of character|ooc|(?:stop|end|enough|done|finished|quit)(?: (?:of|with|the|this|our|pretending|playing))* (?:role-?\s?play\w*|game|story|scene|fiction|pretending|playing)|back to (?:reality|real life|normal)|in real life|no longer pretending)\b/iu;

/** Whether a sentence begins to play a role, or ends it; null: neither. */
export function playsRole(sentence: string): boolean | null {
  if (STOPS_PLAYING.test(sentence)) return false;
  return PLAYS.test(sentence) ? true : null;
}
