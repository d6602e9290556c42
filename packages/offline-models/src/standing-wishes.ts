import { termsOf } from "./terms.ts";

const EMAIL = String.raw`(?<mail>[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+\.\p{L}{2,})`;
const PHONE = String.raw`(?<phone>\+?\d[\d ()/-]{5,}\d)`;
const STREET = String.raw`(?<street>\p{Lu}[\p{L}.' -]{2,40} \d{1,4}\p{L}?|\d{1,4} \p{Lu}[\p{L}.' -]{2,40})`;
const ALWAYS =
  "(?: for everything| from now on| going forward| now| instead(?: of [^,;]{2,40})?| these days| please| for [^,;]{3,30})*";
const KINDLY =
  "(?:please |pls |so |just |(?:you )?(?:can|could|would|should) (?:you )?|from now on,? |always |i'd like you to |i want you to )*";
/** "I prefer really brief and short answers"; in "dark mode and short answers" it is of something else. */
const HOW = "(?:(?!and\\b)[\\p{L},]{1,12} |(?<=\\b(?:brief|short|clear|long) )and ){0,3}";
const NEW = "(?:,|:|!+| -| is|'s)+ (?:it's |it is )?";

/** What people say of a value that is another one now, and what they wish for always, in the plain words of a statement. */
const PLAIN: readonly (readonly [RegExp, string])[] = [
  // "My number has changed, it's 0664 …", "changed my title, now it's …"
  [
    /^(?:i(?:'ve| have)? )?(?:just )?changed (?:my|our|the) (?<what>[\p{L}\p{N} -]{2,40}?)[,;:.]? (?:and |to )*(?:(?:the )?new one(?:'s| is)?|it's|it is|now it's|now)[: ]+(?<value>[^,;]{1,80}?)(?: now)?(?=$|[,;])/iu,
    "My $<what> is $<value> now",
  ],
  [
    /^(?:my|our) (?<what>[\p{L}\p{N} -]{2,40}?)(?: has|'s| is|'ve| have)? (?:just |recently )?changed[,;:.]? (?:and |to )*(?:it's|it is|the new one(?:'s| is)|now it's|now|to)[: ]+(?<value>[^,;]{1,80}?)(?: now)?(?=$|[,;])/iu,
    "My $<what> is $<value> now",
  ],
  // "New title since this week: head of operations", "new number, 0664 …"
  [
    /^(?:(?:my|our|i have an?|i've got an?|got an?) )?new (?<what>(?:\p{L}+ )?(?:title|role|job|position|number|phone|e?-?mail|address|name|surname|boss|manager|landlord|doctor|dentist|hours|shift|schedule|rent|salary|pay|password|pin|code|username|handle|deadline|date|day|time|plan|room|gym|bank|car|laptop|limit|budget|price))(?: since [^:,]{3,30}| from (?:today|now)(?: on)?| as of [^:,]{3,30})?: (?:it's |it is )?(?<value>[^,;]{2,80}?)(?: now)?(?=$|[,;])/iu,
    "My $<what> is $<value> now",
  ],
  [
    new RegExp(
      `^(?:(?:my|our|i have an?|i've got an?|got an?) )?new (?<what>\\p{L}[\\p{L} ]{1,30}?)${NEW}(?<value>${EMAIL}|${PHONE}|\\d[^,;]{0,40}?)(?: now)?(?=$|[,;])`,
      "iu",
    ),
    "My $<what> is $<value> now",
  ],
  [
    /^(?<who>(?:my |our |the )?\p{L}+(?: \p{L}+)??)(?: has|'s| has got|'s got) an? new (?<what>\p{L}[\p{L} ]{1,25}?)(?::|(?:,| -)(?= (?:it's |it is |[\d+]))) (?:it's |it is )?(?<value>[^,;]{2,80}?)(?: now)?(?=$|[,;])/iu,
    "$<who>'s $<what> is $<value> now",
  ],
  [
    /^(?:so )?(?:it's|it is|that's|that makes(?: it)?) (?<count>\p{L}+|\d+) (?<things>\p{L}+s) now$/iu,
    "I have $<count> $<things> now",
  ],
  [/^My (?:new )?number is (?=[+\d][\d ()/-]{5,})/u, "My phone number is "],
  // "Use tim@example.org from now on"
  [
    new RegExp(
      `^${KINDLY}(?:use|write(?: me)?(?: to| at)?|e?mail(?: me)?(?: to| at)?|contact me (?:at|on|under|via)|reach me (?:at|on|under|via)|send (?:\\p{L}+ ){0,3}to) ${EMAIL}${ALWAYS}(?=$|[,;])`,
      "iu",
    ),
    "My email is $<mail> now",
  ],
  [
    new RegExp(
      `^${KINDLY}(?:use|call(?: me)?(?: at| on| under)?|text(?: me)?(?: at| on)?|ring(?: me)?(?: on)?|contact me (?:at|on|under|via)|reach me (?:at|on|under|via)) ${PHONE}${ALWAYS}(?=$|[,;])`,
      "iu",
    ),
    "My phone number is $<phone> now",
  ],
  [
    new RegExp(
      `^${KINDLY}(?:send|ship|deliver|forward) (?:\\p{L}+ ){0,3}to ${STREET}${ALWAYS}(?=$|[,;])`,
      "u",
    ),
    "My address is $<street> now",
  ],
  [
    new RegExp(
      `^${KINDLY}(?:keep|make|give me) (?:it|your answers|the answers|answers|your replies) (?:short|shorter|brief|concise)${ALWAYS}$`,
      "iu",
    ),
    "I prefer short answers",
  ],
  [
    new RegExp(
      `^(?:${KINDLY}(?:give me |write )?|i(?:'d| would) (?:like|prefer) |i want |i prefer )${HOW}(?:short|shorter|briefer|concise) (?:answers|replies|responses)\\b.*$`,
      "iu",
    ),
    "I prefer short answers",
  ],
  [
    new RegExp(
      `^(?:${KINDLY}(?:give me |write )?|i(?:'d| would) (?:like|prefer) |i want |i prefer )${HOW}(?:long|longer|detailed|thorough|in-depth) (?:answers|replies|responses)\\b.*$`,
      "iu",
    ),
    "I prefer detailed answers",
  ],
  [
    new RegExp(
      `^${KINDLY}use (?!my\\b|the following|this|that|it\\b)(?<what>[^,;@]{2,40}?) (?:from now on|going forward)(?=$|[,;])`,
      "iu",
    ),
    "I prefer $<what> now",
  ],
  // "I meant 4 pm for the meeting with Anita, not 3"
  [
    /^i meant (?<clock>\d{1,2}(?::\d\d)?(?: ?[ap]m)?) for (?<what>[^,;]{3,60}?),? not (?<wrong>.{1,20})$/iu,
    "$<what> is at $<clock>, not $<wrong>",
  ],
  [
    /^i meant (?<value>[^,;]{2,30}?) for (?<what>[^,;]{3,60}?),? not (?<wrong>.{1,20})$/iu,
    "$<what> is $<value>, not $<wrong>",
  ],
];
/** "My address is 12 Oak Road now, York YO1" */
const REST_OF_ADDRESS =
  /^(?<address>[\p{L} ]*\baddress) is (?<value>[^,;]+) now(?=, (?:\p{Lu}|\d))/u;
const ANSWER_IN = new RegExp(
  `^${KINDLY}(?:answer|reply|respond|write|speak|talk)(?: to)?(?: me)? (?:only |always )?in (?<language>\\p{L}+)${ALWAYS}[?!.]*$`,
  "iu",
);

/** The sentence, or what it says in plain words of what is otherwise now or is to be so always. */
export function asStatement(sentence: string): string {
  const language = ANSWER_IN.exec(sentence)?.groups?.language;
  if (language !== undefined && termsOf(language).some(({ kinds }) => kinds.includes("language"))) {
    return `I want answers in ${language.charAt(0).toUpperCase()}${language.slice(1)}`;
  }
  const plain = PLAIN.reduce((said, [wording, plain]) => said.replace(wording, plain), sentence);
  return plain.replace(REST_OF_ADDRESS, "$<address> is now $<value>");
}
