/** A topic that extraction assigns: its name, what a fact of it weighs (1 to 10, 2.1), the words that tell it. */
type Topic = readonly [name: string, importance: number, words: string];

// The first that matches is taken, so what matters most stands first. Words are
// separated by "|"; a trailing "*" stands for any ending.
const TOPICS: readonly Topic[] = [
  [
    "Health",
    10,
    "allerg*|anaphyla*|epipen|emergency|life-threatening|suicid*|intoleran*|celiac|coeliac",
  ],
  [
    "Health",
    9,
    `diabet*|asthma*|epilep*|cancer|pregnan*|medication*|insulin|diagnos*|blood type|blood group|blood pressure|pacemaker|prescri*
    |disorder|disease|chronic|surgery|heart condition|depression|anxiety|adhd|autis*|migraine|migraines|wheelchair|deaf|blind`,
  ],
  [
    "Health",
    7,
    `doctor's appointment|doctor appointment|therapist|therapy|dentist appointment|injur*|hospitalized|hospitalised|vaccin*|physio*|sick
    |illness|insomnia|vitamin|vitamins|broke my leg|broken leg|broken arm`,
  ],
  [
    "Legal",
    8,
    "visa|citizen*|immigra*|asylum|divorc*|custody|lawsuit|arrest*|convict*|probation|bankrupt*|passport|green card|power of attorney",
  ],
  [
    "Identity",
    8,
    "user's name is|user's full name|goes by|user's birthday|user was born|user is born|pronouns|nationality|native language|mother tongue|religio*",
  ],
  [
    "Contact",
    7,
    "phone number|email|email address|emergency contact|home address|postal address|zip code",
  ],
  [
    "Family",
    7,
    `wife|husband|spouse|married|fianc*|girlfriend|boyfriend|partner|son|sons|daughter|daughters|child|children|kid|kids|mother|mom|mum
    |father|dad|parents|sister|sisters|brother|brothers|siblings|twins|grand*|aunt|uncle|cousin|cousins|niece|nephew|family|expecting a baby|anniversary`,
  ],
  [
    "Pets",
    5,
    "dog|dogs|cat|cats|puppy|kitten|hamster|parrot|rabbit|rabbits|pet|pets|retriever|greyhound|poodle|labrador|goldfish",
  ],
  ["Identity", 8, "years old|born in|born on|birthday|turned *|turning *|feet tall|cm tall"],
  [
    "Finance",
    6,
    "salary|budget|mortgage|rent|savings|invest*|bank account|banking|loan|loans|rent is|pay|pays|paid|debt|pension|stocks|taxes|invoice*|insurance|dollars|euros",
  ],
  ["Food", 6, "vegan|vegetarian|pescatarian|halal|kosher|gluten|dairy|lactose|meat|pork"],
  [
    "Location",
    7,
    "live|lives|lived|living|reside|resides|relocat*|based in|hometown|home is|apartment|home town|is from|originally from|comes from",
  ],
  [
    "Project",
    6,
    `deploy*|api|server|servers|database|repo|repos|repository|release|releases|staging|production|sprint|backend|frontend|codebase|project*|deadline|migration
    |kubernetes|postgres*|feature|ci|pipeline|bug|launch*|roadmap|stack|cluster|framework|microservice*|schema|endpoint|password|terraform|branch|on-call`,
  ],
  [
    "Work",
    7,
    `work|works|worked|working|job|employ*|company|boss|manager|colleague*|career|office|promot*|engineer|developer|nurse|teacher|teaches|designer|lawyer
    |accountant|consultant|photographer|freelanc*|startup|intern*|team|retired|founded|ceo|cto|profession|client|clients|joined`,
  ],
  [
    "Education",
    6,
    "study|studies|studied|studying|university|college|school|degree|phd|master's|bachelor's|graduat*|major*|thesis|exam|exams|course|learning|learns|learn",
  ],
  [
    "Schedule",
    5,
    "meeting*|appointment|calendar|schedule*|standup|wake up|wakes up|timezone|time zone|every *|daily|weekly|monthly|weekdays|closed on|closes at|opens at",
  ],
  [
    "Travel",
    5,
    "travel*|trip|trips|vacation|holiday|flight|fly|flies|flew|visit*|hotel|airport|airline|window seat*|aisle seat*",
  ],
  ["Language", 5, "speak|speaks|fluent*|bilingual"],
  ["Location", 7, "moved to|moved from|moved in|moved back|in the city"],
  [
    "Food",
    5,
    "eat|eats|food|cook*|bakes|baking|coffee|tea|wine|beer|pizza|sushi|restaurant|breakfast|lunch|dinner|chocolate|cheese|spicy|cilantro|pasta|drink|drinks|fish|chicken|rice|recipe|alcohol|mushrooms",
  ],
  [
    "Preference",
    5,
    "prefer|prefers|preferred|favorite|favourite|like|likes|love|loves|enjoy|enjoys|hate|hates|dislike|dislikes|cannot stand|fan of|rather than",
  ],
  [
    "Hobby",
    5,
    "play|plays|hobby|hobbies|guitar|piano|run|runs|running|marathon|hik*|climb*|paint*|read|reads|reading|garden*|gym|yoga|photograph*|chess|sings|swims|cycl*|bouldering|ski*|collects",
  ],
  ["Possession", 4, "drive|drives|own|owns|bought|car|bike|phone|laptop|house"],
];
const OTHER = { topic: "General", importanceScore: 5 };

const MATCHERS = TOPICS.map(([topic, importanceScore, words]) => ({
  topic: { topic, importanceScore },
  pattern: new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${words
      .split(/\s*\|\s*/u)
      .join("|")
      .replaceAll("*", "[\\p{L}\\p{N}]*")})(?![\\p{L}\\p{N}])`,
    "iu",
  ),
}));

/** Topic and importance of a fact, from its words. */
export function topicOf(fact: string): {
  readonly topic: string;
  readonly importanceScore: number;
} {
  return MATCHERS.find(({ pattern }) => pattern.test(fact))?.topic ?? OTHER;
}
