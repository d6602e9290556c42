/** The topics that extraction assigns, with the words that tell them and what a fact of them weighs. */
interface Topic {
  readonly name: string;
  /** 1 to 10, on the interface's scale (2.1). */
  readonly importance: number;
  readonly words: RegExp;
}

// The first that matches is taken, so what matters most stands first.
const TOPICS: readonly Topic[] = [
  {
    name: "Health",
    importance: 10,
    words:
      /\b(?:allerg\w*|anaphyla\w*|epipen|emergency|life[- ]threatening|suicid\w*|intoleran\w*|celiac|coeliac)\b/iu,
  },
  {
    name: "Health",
    importance: 9,
    words:
      /\b(?:diabet\w*|asthma\w*|epilep\w*|cancer|pregnan\w*|medication\w*|insulin|diagnos\w*|blood (?:type|pressure)|pacemaker|prescri\w*|disorder|disease|chronic|surgery|heart condition|depression|anxiety|adhd|autis\w*|migraines?|wheelchair|deaf|blind)\b/iu,
  },
  {
    name: "Health",
    importance: 7,
    words:
      /\b(?:doctor'?s? appointment|therapist|therapy|dentist|injur\w*|hospital\w*|vaccin\w*|physio\w*|sick|illness|insomnia|broke (?:my|his|her|their) \w+|vitamins?)\b/iu,
  },
  {
    name: "Legal",
    importance: 8,
    words:
      /\b(?:visa|citizen\w*|immigra\w*|asylum|divorc\w*|custody|lawsuit|arrest\w*|convict\w*|probation|bankrupt\w*|passport|green card|power of attorney)\b/iu,
  },
  {
    name: "Identity",
    importance: 8,
    words:
      /\b(?:name is|goes by|is called|years old|was born|birthday|born (?:in|on)|nationality|pronouns|turned \d+|native language|mother tongue|religio\w*|phone number|email(?: address)?)\b/iu,
  },
  {
    name: "Finance",
    importance: 6,
    words:
      /\b(?:salary|budget|mortgage|savings?|invest\w*|bank\w*|loans?|rent is|pays?|paid|debt|pension|stocks?|taxes|invoice\w*|insurance|[$€£]\d[\d,.]*)/iu,
  },
  {
    name: "Family",
    importance: 7,
    words:
      /\b(?:wife|husband|spouse|married|fianc\w+|girlfriend|boyfriend|partner|son|sons|daughters?|child(?:ren)?|kids?|mother|mom|mum|father|dad|parents?|sisters?|brothers?|siblings?|twins?|grand\w+|aunt|uncle|cousins?|niece|nephew|family)\b/iu,
  },
  {
    name: "Pets",
    importance: 5,
    words:
      /\b(?:dogs?|cats?|puppy|kitten|hamster|parrot|rabbits?|pets?|retriever|poodle|labrador|goldfish)\b/iu,
  },
  {
    name: "Food",
    importance: 6,
    words: /\b(?:vegan|vegetarian|pescatarian|halal|kosher|gluten|dairy|lactose|meat|pork)\b/iu,
  },
  {
    name: "Location",
    importance: 7,
    words:
      /\b(?:lives?|lived|living|resides?|moved (?:to|from|back|in)|relocat\w+|based in|home(?:town)? (?:is|in)|apartment|address|from [A-Z]\w+$)\b/u,
  },
  {
    name: "Project",
    importance: 6,
    words:
      /\b(?:deploy\w*|api|server|database|repo\w*|release\w*|staging|production|sprint|backend|frontend|codebase|project\w*|deadline|migration|kubernetes|postgres\w*|feature|ci|pipeline|bug|launch\w*|roadmap|stack|cluster|framework|microservices?|schema|password|endpoint)\b/iu,
  },
  {
    name: "Work",
    importance: 7,
    words:
      /\b(?:works?|worked|working|job|employ\w*|company|boss|manager|colleague|career|office|promot\w+|engineer|developer|nurse|teacher|designer|lawyer|accountant|consultant|freelanc\w+|startup|internship|intern|team|retired|founded|ceo|cto|profession|clients?)\b/iu,
  },
  {
    name: "Education",
    importance: 6,
    words:
      /\b(?:stud(?:y|ies|ied|ying)|university|college|school|degree|phd|master'?s|bachelor'?s|graduat\w+|major\w*|thesis|exam\w*|course|learning|learns)\b/iu,
  },
  {
    name: "Schedule",
    importance: 5,
    words:
      /\b(?:meetings?|appointment|every (?:day|morning|evening|week|month|\w+day)|on \w+days\b|at \d{1,2}(?::\d\d)? ?(?:am|pm)?\b|calendar|schedule\w*|standup|wakes? up|timezone|time zone|\d{4}-\d\d-\d\d)/iu,
  },
  {
    name: "Travel",
    importance: 5,
    words:
      /\b(?:travel\w*|trips?|vacation|holiday|flight|flies|flew|visit\w*|hotel|airport|airline|window seat|aisle seat)\b/iu,
  },
  {
    name: "Food",
    importance: 5,
    words:
      /\b(?:eats?|food|cook\w*|bak(?:es|ing)|coffee|tea|wine|beer|pizza|sushi|restaurant|breakfast|lunch|dinner|chocolate|cheese|spicy|cilantro|pasta|drinks?|fish|chicken|rice|recipe)\b/iu,
  },
  {
    name: "Preference",
    importance: 5,
    words:
      /\b(?:prefers?|preferred|favou?rite|likes?|loves?|enjoys?|hates?|dislikes?|can not stand|fan of|instead of|rather than)\b/iu,
  },
  {
    name: "Hobby",
    importance: 5,
    words:
      /\b(?:plays?|hobb(?:y|ies)|guitar|piano|runs|running|marathon|hik\w+|climb\w+|paint\w*|read(?:s|ing)?|garden\w*|gym|yoga|photograph\w*|chess|sings?|swims?|cycl\w+|bouldering|ski\w*|collects?)\b/iu,
  },
  {
    name: "Possession",
    importance: 4,
    words: /\b(?:drives?|owns?|bought|car|bike|phone|laptop|house)\b/iu,
  },
];

const OTHER: Omit<Topic, "words"> = { name: "General", importance: 5 };

/** Topic and importance of a fact, from its words. */
export function topicOf(fact: string): {
  readonly topic: string;
  readonly importanceScore: number;
} {
  const { name, importance } = TOPICS.find(({ words }) => words.test(fact)) ?? OTHER;
  return { topic: name, importanceScore: importance };
}
