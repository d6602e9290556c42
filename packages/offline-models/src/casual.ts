/** Contractions that are typed without their apostrophe and are no other word. */
const CONTRACTIONS = [
  /\b(i)(m|ve)\b/giu,
  /\b(he|she|that|what|there|here|who|where|how|when)(s)\b/giu,
  /\b(you|they)(re|ve)\b/giu,
];
const NEGATION =
  /\b(do|does|did|is|are|was|were|has|have|had|ca|could|would|should|wo|must|need)nt\b/giu;
/** "its a cat", "were on the plan": they stand where only "it's" and "we're" can. */
const ITS =
  /\b(i)ts(?= (?:an?|the|my|our|his|her|been|not|just|only|so|too|really|very|called|for|on|at|in|from|because|all|about|gonna|going|\d[\d.:]*|\p{L}+ing|(?:good|bad|great|ok|okay|fine|cute|cold|hot|hard|free|due))\b)/giu;
/** "My rent's 950", "Simon's back from Rome": where no possessive can stand. */
export const IS =
  /(?<=\p{L})(?<!\b(?:the user|bachelor|master)|\b(?:at|to|from|near|of) (?:(?:my|our|the|St\.?) )?\p{L}+)'s(?= (?:\p{Lu}[\p{L}'-]+(?=$|[.,!;]| and\b)(?<=(?:^|[.,;] )(?:my|our|the) \p{Ll}+'s \p{Lu}\S*)|(?:an?|the|my|our|no|not|in|on|at|from|with|under|near|called) |\p{Sc}?\d[\d.,:]*k?(?=[ .,!]|$)|(?:january|february|march|april|may|june|july|august|september|october|november|december) \d|(?:(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: now|(?=[.,!;]|$| and (?:he|she|it)\b))|now|no longer|(?:allowed|supposed|meant) to|done|due|over|off|out|gone(?! (?:up|down|to|back|from|over|vegan|vegetarian)\b)|here|dead|finished|going|broken|sold|stolen|cancell?ed)(?![\p{L}-])|(?:served|set|written|built|hosted|based|located|deployed|stored|owned|kept|made|parked|moored|booked|held|powered|managed|licensed|scheduled|painted|insured|registered|published|run) (?:in|on|at|by|with|of|for|from|under) |back(?: (?:from|in|at|on|to|home|up|now|again)\b|$|[,!.])|home from|all \p{L}+(?:ed|t)\b|(?!(?:moved|arrived|started|returned|passed|joined|called|died|stopped|changed|improved|finished)\b)\p{L}+ed(?=$|[.,!;])|\p{Ll}+-\p{Ll}+(?=$|[.,!;]| (?:now|and|but|since)\b)))/gu;
const SHORT_FORMS = new Map(
  "u=you ur=your r=are n=and w=with pls=please tho=though gonna=going_to bday=birthday ya=you i=I"
    .split(" ")
    .map((form) => form.replace("_", " ").split("=") as [string, string]),
);
const SHORT_FORM = /(?<![\p{L}\p{N}'&/.@-])\p{Ll}{1,5}(?![\p{L}\p{N}'&/@-])/gu;
/** Said for the tone alone, wherever they stand. */
const FILLER =
  /(?<![\p{L}\p{N}'-])(?:l+o+l+|lmf?a+o+|rofl|(?:ha){2,}h?|(?:he){2,}|omg|tbh|btw|fyi|by the way|imo|fwiw|ngl|jk|smh|idk|bro|bruh|dude|mate|man(?=,)|kinda|sorta|y'?know|xd)(?![\p{L}\p{N}'-])/giu;

/** A sentence without the abbreviations, fillers and missing apostrophes of a chat. */
export function inPlainEnglish(sentence: string): string {
  const separated = CONTRACTIONS.reduce((text, form) => text.replace(form, "$1'$2"), sentence);
  return separated
    .replace(FILLER, "")
    .replace(NEGATION, "$1n't")
    .replace(/(?<![\p{L}\p{N}])w\/ ?/gu, "with ")
    .replace(IS, " is")
    .replace(/(?<=\bI(?:['’]?m| am) [^,.]*(?:,| and) )born(?= (?:in|on)\b)/giu, "was born")
    .replace(ITS, "$1t's")
    .replace(SHORT_FORM, (word) => SHORT_FORMS.get(word) ?? word)
    .replace(/\b(to|in|from|across) the us\b/gu, "$1 the US")
    .replace(/\s+(?=[\s,.])|,\s*(?=,)/gu, "")
    .replace(/^[\s,;:]+|[\s,;:]+$/gu, "");
}
