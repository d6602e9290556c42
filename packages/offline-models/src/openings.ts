import type { Grammar } from "./grammar.ts";
import { termsOf } from "./terms.ts";

/** Words that open a sentence without being part of what it states, each with what must follow. */
const LEAD_INS: readonly RegExp[] = [
  /^(?:hi|hello|hey|hiya|howdy|greetings|(?:good )?(?:morning|afternoon|evening|day))(?: (?:there|everyone|all|team|again|dear|assistant|claude|chatgpt|gemini))?(?:[,!. -]+|$)/iu,
  /^(?:thanks|thank you|thx|cheers|great|cool|nice|awesome|perfect|ok|okay|k|sure|yes|yeah|yep|yup|no|nope|nah|right|alright|lol|haha+|wow|ugh|aw+|oh|ah|hm+|well|so|anyways?|sorry|oops|fine|good|got it|i see|exactly|indeed|true|correct|please|welcome)(?: (?:so much|a lot|again|then|you))?(?:\s*[,;:!–—-]+\s*|$)/iu,
  /^(?:ugh|yeah|yep|nah|hm+|haha+|lol|wow|oh|ah|okay|ok|anyways?|honestly|basically|actually|obviously|also|and|but|plus|well|besides|yes|no(?= (?:i|my|we|it|he|she)\b)|(?:ok )?confession|sorry(?= i\b)|so(?! (?:far|that|much|many)\b))[,.]? (?=\S)/iu,
  /^(?:for your information|in fact|to be (?:honest|clear|fair)|frankly|(?:just )?so you know|just to let you know|just fyi|as you know|as i (?:said|mentioned)|like i said|(?:just )?for the record|for (?:context|reference|what it's worth)|in case it helps|(?:one|another|small|quick)(?: more| last)? (?:thing|question|note|one)|(?:quick |small |little )?(?:update|correction|note|reminder|intro|heads up)|before i forget|i forgot to (?:say|mention)|forgot to (?:say|mention)|while i remember|side note|random(?: fact)?(?: but)?|in other news|speaking of which|first(?:ly)?|second(?:ly)?|finally|lastly|additionally|furthermore|moreover|however|(?:un)?fortunately|luckily|sadly|of course|apparently|turns out|you know|guess what|fun fact|(?:good|bad|great|big) news|(?:a )?(?:little bit )?about me|(?:a )?heads up|now|confession|typo(?: before| earlier)?|update)\s*[,:–—-]+\s*/iu,
  /^(?:please |(?:can|could|would|will) you (?:please )?)?(?:remember|note|keep in mind|bear in mind|don't forget|do not forget|be aware|make a note|save|know|believe|remind me)(?: (?:that|this|down))+[,:]?\s+/iu,
  /^(?:you should know|(?:can|would) you believe|i should (?:mention|add|note|say)|i(?: just)? want(?:ed)? to (?:mention|say|add|tell you)|let me (?:tell you|mention|add)|(?:i )?(?:just )?(?:want(?:ed)?|thought i'd|had) to (?:let you know|tell you|say|mention|update you)|(?:just )?(?:letting you know|telling you)|i have to (?:say|admit|tell you)|i must (?:say|admit)|i forgot to (?:mention|say)|did i mention|it turns out|turns out|the thing is|the fact is|i can tell you|i (?:already )?(?:told|mentioned to) you|i mentioned|i'd (?:add|say)|you know|just)(?: that)?,? (?=(?:i|my|we|our|the|i'm|i've)\b)/iu,
  // "One thing: I hate cilantro"
  /^[\p{L}' -]{2,40}(?::| -) (?=(?:I|i|my|My|we|We|our|Our|I'm|i'm|I've|i've|The|the|every|each|all|no|User)\b)/u,
];
/** How many may stand before one sentence. */
const MAX_LEAD_INS = 6;

/** The sentence without greeting, thanks and turns of phrase before what it states; may be empty. */
export function withoutLeadIns(sentence: string): string {
  let rest = sentence.trim();
  for (let i = 0; i < MAX_LEAD_INS; i++) {
    const leadIn = LEAD_INS.find((pattern) => pattern.test(rest));
    if (leadIn === undefined) break;
    rest = rest.replace(leadIn, "").trim();
  }
  return rest;
}

/** What may follow a statement without being part of it. */
const TRAILER =
  /(?:[\s,;:–—-]+(?:by the way|btw|though|actually|you know|lol|haha|ugh|phew|sniff|thank god|(?:can|would) you believe it|believe it or not|please|thanks|thank you|fyi|(?:so |and )?(?:please )?(?:remember|note|save|keep|don't forget) (?:that|this|it)(?: in mind| for (?:me|later|next time))?))?[\s,;:.!–—-]*$/iu;

export function withoutTrailer(clause: string): string {
  const rest = clause.replace(TRAILER, "");
  // "..., remember that please": one may stand behind another.
  return rest === clause ? rest : withoutTrailer(rest);
}

const AMOUNT =
  "(?:in )?(?:\\d{1,3}|a|an|one|two|three|four|five|six) (?:days?|weeks?|months?|years?)(?: ago| from now)?";
const NAMED_TIME =
  "(?:(?:last|next) )?(?:\\p{L}{3,10}|(?:19|20)\\d\\d)(?: (?:(?:19|20)\\d\\d|\\d{1,2}))?";
const SPEAKER_BEGINS = "(?=(?:i|i'm|i've|we|we're|my|our|the|he|she|it|it's|they)\\b)";
/** A time, a place or a part that stands before the subject: "Yesterday I bought …", "On Fridays, we order pizza", "As a vegan I …". */
const FRONTED = new RegExp(
  `^((?:now|nowadays|these days|currently|yesterday|today|tomorrow|tonight|(?:last|next|this|every|most) (?!(?:is|are|was|were)\\b)\\p{L}+|\\p{L}{3,6}days|(?:after|before|at) (?:work|home|school|lunch|dinner|breakfast|night|bed)|${AMOUNT}|since (?:my|our|the) \\p{L}+|as an? \\p{L}+(?: \\p{L}+){0,2}|(?:in|on|since|by|until|till|starting|from) ${NAMED_TIME}(?: (?:to|until|till) ${NAMED_TIME})?|between ${NAMED_TIME} and ${NAMED_TIME})(?: mornings?| afternoons?| evenings?| nights?)?),? ${SPEAKER_BEGINS}`,
  "iu",
);

/** "Whenever it snows, …", "according to Lars, …": without it the rest would say more than was said. */
const OPENING =
  /^((?:(?:when|whenever|once|while|because|since|as|until|till|after|before) (?=(?:I|i|we|he|she|it|they|my|our|the|\p{Lu}\S*)\b)[^,]+?(?=,|(?<!\b(?:and|or|than|that|if|what|where|when|who|how|as)) (?:I|we) (?!am\b|are\b)\p{Ll})|(?:in|on|at|by|for|from|with|without|during|after|before|since|until|till|under|over|between|outside|inside|besides|despite|except|like|unlike|to|as|back in|(?:because|instead|regardless) of|(?:according|due|thanks|owing) to|(?:apart|aside) from|other than|depending on) (?:(?!\b(?:I|i|we|is|are|am|was|were|has|have|had)\b)[^,])+(?=,))),? (?!(?:he|she|it|they) )(?=\p{Ll}|I\b|\p{Lu}\S* \p{Ll}+(?:s|ed)\b)/u;

/** What opens a sentence goes behind its first clause, where it reads naturally of a third person too. */
export function withoutOpening(sentence: string): { rest: string; opening: string } {
  const lower = (text: string) => text.replace(/^\p{Lu}/u, (first) => first.toLowerCase());
  const [whole = "", said = ""] = OPENING.exec(lower(sentence)) ?? FRONTED.exec(sentence) ?? [];
  const opening = lower(said.replace(/^\p{L}+days$/u, "on $&"));
  return { rest: sentence.slice(whole.length), opening: opening && ` ${opening}` };
}

/** A name that speakers give themselves. */
export interface GivenName {
  readonly name: string;
  /** "call me Al" */
  readonly isShortForm: boolean;
  /** What follows in the same sentence, as a sentence of its own; empty: nothing. */
  readonly rest: string;
}

const TITLE = "(?:(?:Dr|Prof|Mrs?|Ms|Miss|Mx|Rev)\\b\\.? )*";
const NAME = String.raw`${TITLE}\p{Lu}[\p{L}'-]{0,40}(?: \p{Lu}[\p{L}'-]{1,40}){0,2}`;
const ANY_NAME = String.raw`${TITLE}\p{L}[\p{L}'-]{0,40}(?: (?!from\b)\p{Lu}[\p{L}'-]{1,40}){0,2}`;
const END =
  "(?=$|[,!;]|\\.$| and | but | from | here\\b| speaking\\b| now\\b| by the way| btw| for short)";
const I_AM = new RegExp(
  `^(?:and )?(?:I am|I'm|i'm|i am|[Tt]his is|[Ii]t's|[Ii]t is) (${NAME})${END}`,
  "u",
);
const MY_NAME = new RegExp(
  `^(?:and |but |so )?(?:my )?(?:(?:full|first|real) )?name(?: is|'s)(?: (?:actually|really|now|spell?ed|spelt|written))* (${ANY_NAME})${END}`,
  "iu",
);
const CALL_ME = new RegExp(
  `^(?:you can |please |just |now |from now on,? |but |everyone |everybody |people |(?:my )?friends |they )*(?:calls? me|I go by) (${ANY_NAME})${END}`,
  "iu",
);
/** Capitalised, and no name: of people, signs of the zodiac and what compromise and lexicon don't know. */
const NO_NAME =
  /(?:ish|ese|ian|can|ist)$|^(?:ok|okay|fine|sorry|tired|hungry|happy|sad|busy|back|sure|ready|done|here|late|home|gluten|lactose|catholic|muslim|jewish|hindu|gemini|leo|aries|taurus|virgo|libra|scorpio|aquarius|pisces|dutch|swiss|greek|czech|thai|iraqi|israeli|pakistani|german|french|allergic|pregnant|diabetic|deaf|blind|left|right|bi|gay|trans|queer|lesbian|male|female|conservative|liberal|democrat|vegan)$/u;

/** What stands behind "my name is" and "call me" without being a name: "not John", "hard to pronounce", "whenever". */
const NO_NAME_TAGS =
  "Adjective Adverb Negative Particle Preposition Determiner Conjunction WeekDay".split(" ");
const NO_NAME_TO_CALL =
  /^(?:back|collect|asap|(?:any|some)time|to(?:day|night|morrow)|noon|first)$/u;

/** Reads "My name is Alice", "I am Alice" and "call me Al". */
export function givenName(sentence: string, grammar: Grammar): GivenName | null {
  for (const pattern of [MY_NAME, I_AM, CALL_ME]) {
    const [whole = "", name] = pattern.exec(sentence.replace(/ please(?=$|,)/u, "")) ?? [];
    if (name === undefined) continue;
    const isIntroduced = pattern === MY_NAME || pattern === CALL_ME;
    if (!(isIntroduced ? isNameLike(name, grammar) : isPlausibleName(name))) continue;
    return {
      name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      isShortForm: pattern === CALL_ME,
      rest: restAfter(sentence.slice(whole.length)),
    };
  }
  return null;
}

function restAfter(text: string): string {
  const rest = text.replace(/^(?: here\b| speaking\b| now\b| by the way| btw| for short)+/iu, "");
  // "I'm Noor, a student", "I'm Noor, second-year student in Delft".
  const [, whole, bare] =
    /^,? (\d{1,2}(?:,.*|$)|(?:[Aa]n?|[Tt]he|[Ff]rom(?! now)) .*)|^, ((?!(?:my|our|i|we|it|this)\b)(?:\p{Ll}[\p{L}-]* (?:\p{L}[\p{L}-]* ){0,2})?(?:\p{L}+(?:er|or|ist|ian|ent|ant|ect)|nurse|mum|dad|mother|father)\b(?! (?:is|was|has)\b).*)/u.exec(
      rest,
    ) ?? [];
  if (whole !== undefined || bare !== undefined)
    return `I am ${whole ?? `${/^[aeio]/iu.test(bare ?? "") ? "an" : "a"} ${bare}`}`;
  return rest.replace(/^[,.!;\s]*(?:(?:and|but) )?/iu, "").trim();
}

/** Names are typed without capitals too; other words are not names for that. */
function isNameLike(name: string, grammar: Grammar): boolean {
  if (/^\p{Lu}/u.test(name)) return true;
  const first = grammar(`My name is ${name}`)[3];
  if (first === undefined || NO_NAME_TO_CALL.test(first.lower)) return false;
  return !NO_NAME_TAGS.some((tag) => first.tags.has(tag));
}

/** "I am German", "I am Vegan" and "I am OK" give no name. */
function isPlausibleName(name: string): boolean {
  return termsOf(name).every(
    ({ isStop, isCommon, concept, kinds, folded }) =>
      !isStop && !isCommon && concept === null && kinds.length === 0 && !NO_NAME.test(folded),
  );
}
