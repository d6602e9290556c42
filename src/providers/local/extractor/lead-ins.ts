/** Words that open a sentence without being part of what it states, each with what must follow. */
const LEAD_INS: readonly RegExp[] = [
  /^(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day))(?: (?:there|everyone|all|team|again|assistant|claude|chatgpt|gemini))?(?:[,!. -]+|$)/iu,
  /^(?:hi|hello|hey),? \p{Lu}[\p{L}]*,\s*/u,
  /^(?:thanks|thank you|thx|cheers|great|cool|nice|awesome|perfect|ok|okay|k|sure|yes|yeah|yep|yup|no|nope|nah|right|alright|lol|haha+|wow|oh|ah|hm+|well|so|anyway|anyways|sorry|oops|fine|good|got it|i see|exactly|indeed|true|correct|please|welcome)(?: (?:so much|a lot|again|then|you))?(?:\s*[,;:!-]+\s*|$)/iu,
  /^(?:actually|by the way|btw|fyi|for your information|also|and|but|oh|well|so|plus|anyway|besides|in fact|to be honest|tbh|honestly|frankly|basically|just so you know|just to let you know|just fyi|as you know|as i said|as i mentioned|like i said|for the record|for context|for reference|in case it helps|one more thing|another thing|quick update|small update|update|correction|note|reminder|first|firstly|second|secondly|finally|lastly|additionally|furthermore|moreover|however|unfortunately|fortunately|luckily|sadly|of course|obviously|apparently|you know|guess what|fun fact|good news|bad news|great news|about me|little bit about me|now)\s*[,:-]+\s*/iu,
  /^(?:actually|also|btw|fyi|and|but|so|oh|well|plus|anyway|besides|ok|okay|yes|yeah|no|by the way) (?=\S)/iu,
  /^(?:please |(?:can|could|would|will) you (?:please )?)?(?:remember|note|keep in mind|bear in mind|don't forget|do not forget|be aware|make a note|save|know)(?: (?:that|this|down))+[,:]?\s+/iu,
  /^(?:please )?(?:remember|note|keep in mind|don't forget|do not forget)[,:]?\s+(?=(?:i|my|we|our|the)\b)/iu,
  /^(?:you should know|i should (?:mention|add|note|say)|i wanted to (?:mention|say|tell you)|i want to (?:mention|tell you)|let me (?:tell you|mention|add)|i have to (?:say|admit|tell you)|i must (?:say|admit)|i forgot to (?:mention|say)|did i mention|it turns out|turns out|the thing is|the fact is|i can tell you|i (?:already )?(?:told|mentioned to) you|i mentioned|i'd add|you know|just)(?: that)?,? (?=(?:i|my|we|our|the|i'm|i've)\b)/iu,
];

/** "One thing: I hate cilantro", "Quick intro - I'm Lena" */
const LABEL =
  /^[\p{L}' -]{2,40}(?::| -) (?=(?:I|i|my|My|we|We|our|Our|I'm|i'm|I've|i've|The|the|User)\b)/u;

/** "Decision: we will use Kafka", whatever follows. */
const NOTE_LABEL =
  /^(?:decision|decided|action item|todo|note|fact|update|reminder|important|info|context|background|status|correction|new|edit|ps)s?\s*: /iu;

/** A time that stands before the subject: "Yesterday I bought …". */
const FRONTED_TIME =
  /^((?:now|nowadays|currently|yesterday|today|tomorrow|tonight|(?:last|next|this) \p{L}+|(?:in )?(?:\d{1,3}|a|an|one|two|three|four|five|six) (?:days?|weeks?|months?|years?)(?: ago| from now)?|(?:in|on|since) (?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|(?:19|20)\d\d)(?: (?:19|20)\d\d)?)(?: morning| afternoon| evening| night)?),? (?=(?:i|we|my|our|the|he|she|they) )/iu;

/** How many may stand before one sentence. */
const MAX_LEAD_INS = 6;

/** The sentence without greeting, thanks and turns of phrase before what it states; may be empty. */
export function withoutLeadIns(sentence: string): string {
  let rest = sentence.trim();
  for (let i = 0; i < MAX_LEAD_INS; i++) {
    const leadIn = [...LEAD_INS, NOTE_LABEL, LABEL].find((pattern) => pattern.test(rest));
    if (leadIn === undefined) return rest;
    rest = rest.replace(leadIn, "").trim();
  }
  return rest;
}

/** The sentence with a time that opens it moved to its end, where it reads naturally of a third person too. */
export function withTimeLast(sentence: string): string {
  const time = FRONTED_TIME.exec(sentence)?.[1];
  if (time === undefined) return sentence;
  const rest = sentence.slice(FRONTED_TIME.exec(sentence)?.[0].length ?? 0);
  return `${rest} ${time.charAt(0).toLowerCase()}${time.slice(1)}`;
}
