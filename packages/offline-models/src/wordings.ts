import { ORDINALS, SMALL_NUMBERS, TEENS } from "@agent-memory/text";
import operators from "./operators.json" with { type: "json" };

/** Wordings that many rules share, by the name that stands for them in angle brackets. */
const SHARED: Readonly<Record<string, string>> = {
  value: "(?<value>.+)",
  name: String.raw`(?<value>(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?)`,
  age: String.raw`(?<value>\d{1,3}|${SMALL_NUMBERS}|${TEENS})`,
  the: "(?:an? |the |their |his |her |its |our |the user's )?(?:new |brand-new |own |first |used |little |big |old )*",
  operator: `(?:${operators.join("|")})(?![\\p{L}-])`,
  job: "(?:job|position|role|gig|contract|offer)",
  meat: "(?:meat|steaks?|chicken|beef|pork|bacon|burgers?|sausages?|ham|lamb|fish)",
  turned:
    "(?:(?:gone|went|turned|became|become|going|eats?|follows?|keeps?|on) )?(?:an? )?(?:strict(?:ly)? |lifelong |full |fully |completely )*",
  enddiet:
    "(?: diet| food)?(?:$|,| (?:now|again|since|for|these|and|but|because|after|in|as|last|this|from)(?= |$))",
  role: String.raw`(?:(?:\p{L}+[ -]){0,3}?(?:[cC][eEtTfFoOpPmM][oO]|ciso|CISO|vp|VP|lead|leader|head|chief|director|manager|boss|supervisor|chair|chairman|chairwoman|chairperson|president|treasurer|secretary|captain|coach|trainer|principal|headmaster|headmistress|mayor|editor|conductor|landlord|landlady|(?:co-?)?founder|business partner|scrum master|product owner|owner|maintainer|coordinator|organi[sz]er|contact|rep|representative|accountant|dentist|doctor|gp|GP|barber|hairdresser|lawyer|nanny|babysitter|cleaner|tutor|teacher|therapist|mentor|assistant|caretaker|flatmate|roommate|goalkeeper|drummer|singer|bassist|chef|foreman|instructor|advis[eo]r|agent|sponsor|moderator|host)(?: (?:of|at|for) [\p{L}' ]{2,30}?)?)`,
  more: "(?: (?:now|these days|again|since|as of|from|instead|in|last|on|this)(?= |$).*|,.*|$)",
  someone: String.raw`(?:the user|they|somebody|someone|\p{Lu}[\p{L}.]+(?: \p{Lu}\p{L}+)?|the \p{L}+(?: of \p{Lu}\p{L}+)?|the user's \p{L}+(?: \p{Lu}\p{L}+)?)(?: and the user| and \p{Lu}\p{L}+)?`,
  grade: String.raw`(?<value>(?:${ORDINALS.slice(0, 9).join("|")}|\d{1,2}(?:st|nd|rd|th)) grader?|(?:year|grade) \d{1,2}|kindergarten|nursery|preschool|(?:primary|elementary|secondary|middle|high) school)`,
  did: "(?:(?:has|have|had|is|are|was|were|just|finally|recently|then|now|also|all|got|been|completely) )*",
  its: "(?:(?:all|both) (?:of )?)?(?:the user's |the |their |his |her |our )?(?!an? )(?:(?:old|outstanding|overdue) )?",
  former: "(?<former>[^,;]{2,40}?)",
  affirmed: String.raw`(?!.*\b(?:does not|is not|never|has not|no longer|sells?|makes?|bakes?|stocks?|serves?|likes?|loves?|enjoys?|dislikes?|hates?|quit|stopped|used to)\b)`,
  end: "(?: (?:any ?more|any longer|altogether|completely|entirely|for good|now))*(?:$|,.*$)",
};

/** A rule's words as a regular expression, with what stands for shared wordings written out. */
export function written(words: string): string {
  return words.replace(/(?<!\(\?)<(\p{L}+)>/gu, (whole, name) =>
    Object.hasOwn(SHARED, name) ? written(SHARED[name] ?? "") : whole,
  );
}
