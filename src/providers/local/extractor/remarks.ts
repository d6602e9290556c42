/**
 * What people say that states nothing to remember: remarks to the assistant, on
 * the conversation, on the moment. The patterns see one clause, with its
 * contractions expanded.
 */

/** Asking the assistant, or telling it what it is or must do. */
const ADDRESSED: readonly RegExp[] = [
  /\b(?:you|your|yours|yourself)\b/iu,
  /\b(?:system prompt|developer mode|jailbreak|(?:previous|prior|above|new|following) instructions?|all (?:previous|prior|above|memories))\b/iu,
  /^(?:the |this |an? )?(?:assistant|ai|model|chatbot|bot|system|language model|llm)\b.*\b(?:must|should|shall|will|is now|has to|needs to|may)\b/iu,
  /^(?:ignore|disregard|override|pretend|forget)\b/iu,
];

/** What might be, would be, or is only wondered about; what is told of a story. */
const UNCERTAIN: readonly RegExp[] = [
  /^(?:unless|suppose|supposing|imagine|assuming|let's|let us|hopefully|what if|in case|should)\b/iu,
  /\b(?:if|maybe|perhaps|possibly|probably|not sure|i guess|i suppose|would|could|might|hypothetically|in theory|if only)\b/iu,
  /^(?:i|we) (?:may|should|shall)\b/iu,
  /^in (?:the|this|that|my) (?:movie|film|book|novel|story|game|text|video|dream|example)\b/iu,
];

/** Verb phrases of the first person that state nothing to remember, one a line or separated by "|". */
const TALK = `
  think|thought|guess|suppose|mean|meant|see|understand|agree|disagree|hope|hoping|wonder|wondering|believe|feel|felt|doubt|bet
  assume|imagine|appreciate|apologi[sz]e|swear|promise|remember|recall|forgot|forget|noticed|heard|said|say|told|asked|mentioned
  (?:know|knew)(?= (?:that|what|why|who|it|this|right|about|the answer|he|she|they|i)\\b|$|,)
  got it|saw your|got an? (?:error|exception|warning|message|question)|getting an? (?:error|exception|warning|message)
  look(?:ing)? (?:for|forward|at)|trying to|tried to (?:ask|say|do)|asking|talking about|browsing|checking|just testing
  having (?:trouble|issues?|problems?|difficulty|a (?:problem|hard time))|a question|some questions?
  need (?:help|to know|to ask|some (?:help|advice|info|information))|need an? (?:hand|answer|favou?r|moment|minute|second|break)
  want (?:to know|to ask|to understand|to see|help|some help|an answer)|wanted to (?:ask|know|say|check)
  thinking (?:about|of)|considering|mind|care|be (?:back|right back|fine|ok|okay|there)|try|check|let|do (?:that|it|so)|get back
  take a look|give it|wait|come back|talk|tell|ask|go with|to go now|to go|gotta go|going to (?:try|check|think|ask|see|go|look)
  kidding|joking|sorry|glad|done|back|here|afraid (?:that|i|so|not)|curious|sure|no idea|nothing|never mind
  in a (?:meeting|call|hurry|rush)|on (?:the|a) (?:bus|train|phone|call|way)|on my way
  had (?:lunch|dinner|breakfast|a (?:drink|snack|break|bad day|good day|long day|nice time|good time|great time|rough day))
`;
const BEFORE_TALK =
  "\\p{L}+ly|also|just|still|do not|did not|cannot|will|am|have|was|have been|so|a bit";

const CONVERSATIONAL = new RegExp(
  `^(?:i|we) (?:(?:${BEFORE_TALK}) ){0,4}(?:${TALK.trim()
    .split(/\s*\n\s*/u)
    .join("|")})\\b`,
  "iu",
);

const MOODS = `tired|exhausted|bored|hungry|thirsty|starving|sleepy|sorry|happy|sad|fine|good|ok|okay|great|well|excited|thrilled
  glad|confused|stuck|busy|ready|sure|curious|late|lost|impressed|surprised|shocked|frustrated|annoyed|worried|nervous|stressed|amazed
  grateful|thankful|delighted|pleased|disappointed|alright|right|wrong|cold|hot|in a hurry|in a rush|on my way|free now|done`;
const BEFORE_MOOD =
  "\\p{L}+ly|so|very|just|a bit|a little|pretty|not|too|all|still|quite|kind of|kinda";

/** Moods and moments that are over by tomorrow. */
const TRANSIENT: readonly RegExp[] = [
  new RegExp(
    `^(?:i|we) (?:am|are|was|were|feel) (?:(?:${BEFORE_MOOD}) ){0,4}(?:${MOODS.split(/\s*[|\n]\s*/u).join("|")})(?:$|[,!]| (?:today|now|right now|to|that|about|for|with|but|because|and|so|again|here|after|already)\\b)`,
    "iu",
  ),
  /\bright now$/iu,
  /\bam \p{L}+ing\b.{0,80}\b(?:now|at the moment)$/iu,
  /\b(?:is|are) (?:so |very |too |really )?\p{L}+ (?:today|tonight|this morning)$/iu,
];

/** Points at something only the conversation shows. */
const POINTING =
  /\b(?:this|that|these|those) (?!year|quarter|sprint|term|semester|season|month|week|weekend|summer|winter|spring|autumn|fall|morning|evening|afternoon|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|coming|is|i|we|my|the|a)\p{L}+/iu;

export function isRemark(clause: string): boolean {
  return (
    [...ADDRESSED, ...UNCERTAIN, ...TRANSIENT].some((pattern) => pattern.test(clause)) ||
    CONVERSATIONAL.test(clause) ||
    (/^(?:i|we) /iu.test(clause) && POINTING.test(clause)) ||
    quotesFirstPerson(clause)
  );
}

/** Somebody else's words, or words that are spoken about. */
function quotesFirstPerson(clause: string): boolean {
  const firstQuote = clause.indexOf('"');
  return firstQuote >= 0 && /\b(?:I|my|me)\b/u.test(clause.slice(firstQuote));
}
