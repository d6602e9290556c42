/** Wordings that many rules share, by the name that stands for them in angle brackets. */
const SHARED: Readonly<Record<string, string>> = {
  value: "(?<value>.+)",
  name: String.raw`(?<value>(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?)`,
  age: String.raw`(?<value>\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)`,
  money: String.raw`(?<value>\p{Sc} ?\d[\d.,]*k?|\d[\d.,]*(?:k\b| ?(?:\p{Sc}|(?:euros?|dollars?|pounds?|francs?|kroner|kronor|eur|usd|gbp|chf)\b))|\d{3,}|\d{1,3}[.,]\d{3}|\d+(?= (?:an?|per) (?:hour|day|month|year)))`,
  the: "(?:an? |the |their |his |her |its |our |the user's )?(?:new |brand-new |own |first |used |little |big |old )*",
  their: "(?:the user's|their|his|her|the)",
  some: String.raw`(?:\p{L}+ )`,
  home: "(?:house|flat|apartment|place|home|condo|room|studio|cottage)",
  lasting: "(?!holiday|summer|vacation|second|rental|doll|tree)",
  job: "(?:job|position|role|gig|contract|offer)",
  firm: "(?:fintech|insurer|hotel|factory|ministry|company|firm|start-?up|agency|bank|studio|brewery|hospital|school|practice|publisher|consultancy|university|clinic|lab|newspaper|restaurant|bakery|shop|ngo|charity|library)",
  company: String.raw`(?!.*\b(?:gym|club|choir|band|class|course|group|union|party|association|league|call|meeting|waitlist|newsletter|orchestra|church|society|team|Strava|LinkedIn|Mensa|Toastmasters|Instagram|Facebook|Duolingo|Discord|Mastodon|Bluesky|Reddit|TikTok|Greens|[Cc]ourt|[Yy]oga)\b)(?:\p{Lu}.+|an? (?:\p{L}+ ){0,3}<firm>.*)`,
  business:
    "(?:an? |their |his |her |the user's )(?:own )?<some>{0,3}(?:business|company|practice|agency|studio|shop|bakery|cafe|café|restaurant|firm|bar|salon|store|consultancy|startup)",
  animal:
    "(?:dogs?|pupp(?:y|ies)|cats?|kittens?|rabbits?|bunn(?:y|ies)|hamsters?|guinea pigs?|parrots?|budgies?|tortoises?|goldfish|fish|ferrets?|pets?)",
  field: String.raw`(?:\p{L}+(?:ology|ics|istry|graphy|onomy)|law|medicine|history|\p{L}*engineering|business|design|architecture|literature|journalism|education|nursing|arts?|philosophy|theology|computer science)`,
  meat: "(?:meat|steaks?|chicken|beef|pork|bacon|burgers?|sausages?|ham|lamb)",
  dairy: "(?:cheese|eggs?|dairy|butter|milk|everything)",
  turned:
    "(?:(?:gone|went|turned|became|become|going|eats?|follows?|keeps?|on) )?(?:an? )?(?:strict(?:ly)? |lifelong |full |fully |completely )*",
  enddiet:
    "(?: diet| food)?(?:$|,| (?:now|again|since|for|these|and|but|because|after|in|as|last|this|from)(?= |$))",
  always: String.raw`(?!.*\b(?:sometimes|occasionally|on \p{L}+days?|when|once|today|weekends)\b)`,
  role: String.raw`(?:(?:\p{L}+[ -]){0,3}?(?:[cC][eEtTfFoOpPmM][oO]|ciso|CISO|vp|VP|lead|leader|head|chief|director|manager|boss|supervisor|chair|chairman|chairwoman|chairperson|president|treasurer|secretary|captain|coach|trainer|principal|headmaster|headmistress|mayor|editor|conductor|landlord|landlady|(?:co-?)?founder|business partner|scrum master|product owner|owner|maintainer|coordinator|organi[sz]er|contact|rep|representative|accountant|dentist|doctor|gp|GP|barber|hairdresser|lawyer|nanny|babysitter|cleaner|tutor|teacher|therapist|mentor|assistant|caretaker|flatmate|roommate|goalkeeper|drummer|singer|bassist|chef|foreman|instructor|advis[eo]r|agent|sponsor|moderator|host)(?: (?:of|at|for) [\p{L} ]{2,30}?)?)`,
  left: "(?:has |have |is |was )?(?:just |now |finally )*(?:left|gone|stepped down|stepped back|resigned|retired|quit|moved on|out)(?:$|,| (?:last|this|yesterday|on|in|after|for good|now|the user|the (?:company|team|firm|club|board|startup))(?= |$))",
  of: String.raw`(?<of>(?:the user's |their |our |the )?\p{L}[\p{L}\p{N} -]{1,50}?)`,
  more: "(?: (?:now|these days|again|since|as of|from|instead|in|last|on|this)(?= |$).*|,.*|$)",
  property: String.raw`(?<of>(?:(?:the user's |the |\p{Lu}\p{L}+'s )?(?:[\p{L}\p{N}-]+ ){0,2})(?:version|budget|deadline|price|limit|quota|rate|capacity|provider|carrier|supplier|insurer|doctor|gp|dentist|vet|therapist|hairdresser|accountant|lawyer|tutor|major|school|kindergarten|nursery|employer|company|street|postcode|size|target|goal|threshold|timeout|interval|laptop|phone|car|computer|watch|camera|bike|printer|router|tablet|browser|editor|neighbou?r))`,
  secret: String.raw`(?<of>(?:(?:the user's |the |\p{Lu}\p{L}+'s )?(?:[\p{L}\p{N}-]+ ){0,2})(?:password|passcode|pin|code|username|handle|address|number|hostname|host|port|domain|repo|branch|region|codename))`,
  someone: String.raw`(?:the user|they|somebody|someone|\p{Lu}\p{L}+|the \p{L}+|the user's \p{L}+(?: \p{Lu}\p{L}+)?)(?: and the user| and \p{Lu}\p{L}+)?`,
  did: "(?:(?:has|have|had|is|are|was|were|just|finally|recently|then|now|also|all|got|been|completely) )*",
  its: "(?:the user's |the |their |his |her |our |an? |all )?(?:old )?",
  former: "(?<former>[^,;]{2,40}?)",
  affirmed: String.raw`(?!.*\b(?:does not|is not|never|has not|no longer|likes?|loves?|enjoys?|dislikes?|hates?|quit|stopped|used to)\b)`,
  end: "(?: (?:any ?more|any longer|altogether|completely|entirely|for good|now))*(?:$|,.*$)",
};

/** A rule's words as a regular expression, with what stands for shared wordings written out. */
export function written(words: string): string {
  return words.replace(/(?<!\(\?)<(\p{L}+)>/gu, (whole, name) =>
    Object.hasOwn(SHARED, name) ? written(SHARED[name] ?? "") : whole,
  );
}
