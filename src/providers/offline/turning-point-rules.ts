/**
 * Events that end a state without naming it: who was laid off works there no longer, and
 * who sold the car drives none. Each rule says by which words an event is told, and by
 * which the state that it ends; both are said of the same person.
 */
export interface TurningPoint {
  /** After the person. Its group, if there is one, is what the event is about. */
  readonly event: RegExp;
  /** After the person. */
  readonly state: RegExp;
  /** In a sentence: the new fact says that … */
  readonly why: string;
}

/** Words between a person and what they did. */
const DID =
  "^(?: (?:has|have|had|just|finally|recently|officially|then|now|also|is|are|was|were|been|got|get|became|went|turned))*";
const THE = "(?:an? |the |their |his |her |its |our )?";

function did(words: string): RegExp {
  return new RegExp(`${DID} (?:${words})(?![\\p{L}\\p{N}])`, "u");
}

const PARTNER = "(?:girlfriend|boyfriend|partner|fianc[eé]e?|wife|husband|spouse)";
const WORKING =
  /^(?: (?:still )?(?:works?|is working|is employed|has worked|has a job)\b.*\b(?:at|for|in|as|with|by)\b|'s (?:employer|workplace|job|company) is\b)/u;
const JOBLESS =
  /^ is (?:unemployed|jobless|out of work|between jobs|job hunting|(?:looking|searching) for (?:an? |new |another )*(?:job|work|position))/u;
const TOGETHER = new RegExp(
  `^(?:'s ${PARTNER} is (?:called |named )?\\p{Lu}|'s ${PARTNER}'s name| (?:is|has been) (?:dating|seeing|engaged|married|in a relationship)| (?:has|have) an? ${PARTNER}| lives with ${THE}${PARTNER})`,
  "u",
);
const UNDER_WAY =
  /^ (?:is|are|has been|have been) (?:still )?(?:writing|working on|training for|building|reading|preparing|renovating|learning|doing|taking|making|knitting|painting|restoring|planning|organi[sz]ing|looking for|studying for|paying off|saving (?:up )?for)\b/u;

/** Those of which no words need be shared. */
export const OF_A_KIND: readonly TurningPoint[] = [
  {
    event: did(
      `(?:got|found|started|landed|accepted|took) (?:an? |the |their |his |her )?(?:new |another |different |better )?(?:\\p{L}+ )?job|hired|started (?:working )?(?:at|with|for)|changed jobs`,
    ),
    state: new RegExp(`${WORKING.source}|${JOBLESS.source}`, "u"),
    why: "tells of another job",
  },
  {
    event: did(
      `laid off|fired|let go|made redundant|retired|resigned|(?:quit|left|lost) ${THE}(?:old )?(?:job|company|firm|employer)|went freelance|self-employed|(?:handed|turned) in ${THE}(?:notice|badge|resignation|keys|laptop)|(?:the )?(?:sack|axe|boot|chop)|given ${THE}(?:notice|pink slip)|sacked|dismissed|(?:had|worked) ${THE}last (?:day|shift)(?: at work)?|(?:gave|put in) ${THE}(?:two weeks(?:' | )?)?notice`,
    ),
    state: WORKING,
    why: "says that the job ended",
  },
  {
    event: did(
      "broke up|split up|separated|divorced|single (?:again|now)|(?:broke|called) off (?:the|their) (?:engagement|wedding)|no longer together",
    ),
    state: TOGETHER,
    why: "says that they are no longer together",
  },
  {
    event: did("married|tied the knot"),
    state: /^(?: is (?:single|engaged|dating|divorced)|'s fianc[eé]e? is)\b/u,
    why: "tells of a wedding",
  },
  {
    event:
      /^ (?:(?:are|have) not (?:been )?together|are (?:now |finally |just |officially )*(?:done|over|through|finished|history|no more|not together|no longer together|no longer a (?:thing|couple|pair|item))|(?:have |had |just |finally )*(?:called it quits|parted ways|(?:went|gone) (?:our|their) separate ways))\b(?! with)/u,
    state: TOGETHER,
    why: "says that they are no longer together",
  },
  {
    event: did(
      "engaged|started (?:dating|seeing)|met someone|(?:seeing|dating) (?:someone|somebody|again)|in a (?:new )?relationship|has a new (?:girlfriend|boyfriend)",
    ),
    state: /^ is single\b/u,
    why: "says that there is somebody now",
  },
  {
    event: did(
      `sold|traded in|crashed|wrecked|totall?ed|scrapped|gave away|got rid of|rid of|gave up|donated|ditched) ${THE}(?:old )?(?:car`,
    ),
    state: /^ (?:drives (?:an?|the)|commutes by car|has an? (?:car|vehicle))\b/u,
    why: "says that the car is gone",
  },
  {
    event: did("(?:vegetarian|vegan|pescatarian|stopped eating (?:meat|animals))"),
    state:
      /^ (?:eats?|cooks)\b.*\b(?:meat|steaks?|chicken|beef|pork|bacon|burgers?|sausages?|ham|lamb)\b/u,
    why: "names a diet without it",
  },
  {
    event:
      /^ (?:has |have )?(?:eats?|started eating|is eating) (?:meat|steaks?|chicken|beef|pork|bacon)\b.*\bagain\b/u,
    state:
      /^ (?:is (?:an? )?(?:vegetarian|vegan)|(?:does not|doesn't|never|no longer) eats? (?:any )?meat)\b/u,
    why: "says that it is eaten again",
  },
  {
    event: /^ graduated\b/u,
    state:
      /^ (?:studies|is studying|is an? (?:\p{L}+ )*student|goes to (?:college|university|school)|attends)\b/u,
    why: "says that the studies are over",
  },
  {
    event: did(
      `passed ${THE}(?:driving|road) test|got ${THE}(?:full |driving |driver's )*licen[cs]e`,
    ),
    state:
      /^ (?:is (?:still )?learning to drive|(?:is taking|takes) driving lessons|(?:only )?has (?:only )?a learner's permit)\b/u,
    why: "says that the test is passed",
  },
  {
    event: did(`moved out|has ${THE}own place now`),
    state: /^ lives? (?:with|at home)\b/u,
    why: "says that they live apart",
  },
  {
    event: did("moved in with"),
    state:
      /^ lives (?:alone|by themsel|on (?:their|his|her) own|with (?:their|his|her) (?:parents|mother|father|mum|mom|dad|roommates?|flatmates?))/u,
    why: "says with whom they live now",
  },
  {
    event: did(
      `bought ${THE}(?:new |first |own |small |big )*(?:house|flat|apartment|home|place|condo)`,
    ),
    state:
      /^ (?:rents\b|has an? landlord|is (?:renting|house hunting|(?:looking|searching) for an? (?:new )?(?:house|flat|apartment|home|place)))/u,
    why: "says that they own a home",
  },
  {
    event:
      /^ (?:now )?(?:(?:gets?|goes|travels?) (?:around|to work|in) by|commutes? by|(?:takes? the (?:bus|tram|train|metro|tube|subway|ferry)|cycles?|bikes?|walks?|drives?) to (?:work|the office))\b.*\b(?:now|these days|nowadays|instead|since)\b/u,
    state:
      /^ (?:commutes by|(?:takes|rides|catches) the \p{L}+ to (?:work|the office)|(?:drives|cycles|bikes|walks|goes) to (?:work|the office)|goes to work by)\b/u,
    why: "says how they get around now",
  },
  {
    event:
      /^ (?:(?:has|have) not (?:(?:had|smoked|touched) (?:a |an |any |one )?(?:single )?(?:cigarettes?|smokes?|fags?)|smoked|vaped)\b|(?:is|has been|went) (?:\S+ ){0,3}(?:smoke|nicotine)[- ]free\b)/u,
    state: /^ (?:smokes|vapes|is a (?:\p{L}+ )?smoker)\b/u,
    why: "says that they do not smoke any more",
  },
  {
    event:
      /^ (?:(?:has|have) not (?:had|touched|drunk) (?:a |an |any |one )?(?:single )?(?:drop|drinks?|alcohol|beers?|wine)\b|(?:is|has been|got|went|became) (?:\S+ ){0,4}(?:sober|teetotal|dry|alcohol-free|off (?:the )?(?:booze|alcohol|drink))\b|(?:has |have )?(?:quit|stopped|gave up|given up|swore off|cut out) (?:drinking|alcohol|booze)(?:$|,| (?:for good|altogether|completely|in|last|this|on|since|a|\p{L}+ \p{L}+ ago)))/u,
    state:
      /^ (?:drinks|likes|enjoys|has)\b.*\b(?:wine|beers?|whisk(?:e)?y|alcohol|gin|vodka|cocktails?|spirits)\b/u,
    why: "says that they do not drink any more",
  },
  {
    event:
      /^ (?:(?:eats?|is eating|started eating|has|drinks?) (?:some )?(?:meat|steaks?|chicken|fish|seafood|cheese|eggs?|dairy|butter|milk)\b.*\bagain\b|(?:is |went |goes )?back (?:to|on)(?: eating)? (?:meat|chicken|fish|cheese|eggs?|dairy|butter|milk)\b|is (?:no longer|not) (?:a )?(?:strict )?vegan)/u,
    state:
      /^ (?:is (?:an? )?(?:strict(?:ly)? )?vegan|eats? (?:an? )?(?:strict(?:ly)? )?vegan|(?:is|follows|keeps) (?:on )?an? (?:strict )?vegan diet)\b/u,
    why: "says that it is eaten again",
  },
  {
    event: did(
      "made (?:partner|senior|manager|captain|lead|director|principal|professor|sergeant|foreman)|promoted",
    ),
    state:
      /^ (?:is (?:an?|the) (?:\p{L}+ )?(?:junior|associate|assistant|intern|trainee|apprentice|deputy|analyst|co-op)\b|works as (?:an?|the) (?:junior|associate|assistant|trainee))/u,
    why: "tells of a promotion",
  },
  {
    event:
      /^ (?:has |have |is |was )?(?:just |now |finally )*(?:left|gone|stepped down|stepped back|resigned|retired|quit|moved on)(?:$|,| (?:last|this|yesterday|on|in|after|for good|now|us|the (?:company|team|firm|club|board)))/u,
    state:
      /^ (?:is (?:the |our |head |an? )?.*\b(?:head|lead|leader|manager|director|chair\p{L}*|president|captain|coach|boss|treasurer|secretary|ceo|cto|cfo|editor|chef|contact)\b|(?:works|worked) (?:for|at|with)|runs|leads|manages|heads|chairs|coaches|is in charge)\b/iu,
    why: "says that the post is free",
  },
  {
    event: did(
      `defended(?: ${THE}(?:thesis|dissertation|phd))?(?= on| last| this| yesterday| in|$)|handed in ${THE}(?:thesis|dissertation)|got ${THE}(?:phd|doctorate|degree|diploma)`,
    ),
    state:
      /^ (?:is (?:still )?(?:writing|working on) (?:an? |the |their |his |her )?(?:\p{L}+ )?(?:dissertation|thesis|phd)|is (?:an? )?(?:phd|doctoral) (?:student|candidate))\b/iu,
    why: "says that the studies are over",
  },
];

/** Those that end what they name: every word of the group is in what was said before. */
export const OF_WHAT_IT_NAMES: readonly TurningPoint[] = [
  {
    event: did(
      `(?:sold|gave away|got rid of|donated|scrapped|crashed|wrecked|traded(?: in)?|swapped|rehomed|ripped out|threw (?:out|away)|tossed|chucked|binned|ditched|dumped|dropped|returned|replaced|retired|cancell?ed|deleted|uninstalled|stopped using|moved (?:away from|off)|migrated (?:away )?(?:from|off)|phased out|unsubscribed from|said goodbye to|parted with|lost|done with|finished with|over) ${THE}(?:old )?(?<named>.+)`,
    ),
    state:
      /^(?:'s (?:gym|club|bank|phone|laptop|computer|car|bike|scooter|provider|carrier|insurance|editor|browser|console|camera) is\b|(?:'s [\p{L} ]+)? (?:has|have|owns?|drives?|rides?|uses?|subscribes|pays for|is subscribed|reads on|plays|banks with|shops at|(?:lives?|runs?) (?:on|in)|is (?:built|written) (?:on|with|in))\b)/u,
    why: "says that it is gone",
  },
  {
    event: did(`(?:got|bought|ordered|picked up) .{2,40}? to replace ${THE}(?:old )?(?<named>.+)`),
    state: /^(?:'s [\p{L} ]+ is| (?:has|have|owns?|drives?|rides?|uses?))\b/u,
    why: "says what takes its place",
  },
  {
    event: did(
      `(?:quit|gave up|has given up|stopped|cut out|swore off|dropped out of) (?:on |going to )?${THE}(?<named>.+)`,
    ),
    state:
      /^ (?!(?:does|do|did|has|have|is) not\b|never\b|no longer\b|likes?\b|loves?\b|enjoys?\b|quit\b|stopped\b|used to\b)/u,
    why: "says that it ended",
  },
  {
    event: did(
      `(?:finished|completed|ran|sat|wrapped up|paid off|passed|aced|submitted|handed in|defended|published|launched|shipped|gave up on) ${THE}(?<named>.+)`,
    ),
    state: UNDER_WAY,
    why: "says that it is done",
  },
  {
    event: did(
      `(?:swapped|traded|exchanged|gave up|left|quit|dropped) ${THE}(?<named>.+?)(?= for (?:an? |the |their )?\\p{L})`,
    ),
    state:
      /^ (?:drinks?|goes to|works? (?:at|in|for)|takes?|plays|eats|lives? in|is at|attends|studies|wears|rides|drives|uses|has)\b/u,
    why: "says what takes its place",
  },
  {
    event: did(`gave ${THE}(?<named>.+?)(?= (?:to|away)\\b)`),
    state: /^ (?:has|have|owns?|rides?|drives?|plays)\b/u,
    why: "says that it is given away",
  },
  {
    event:
      /^ (?:is |went |has gone |has been )(?:now )?off (?<named>\p{L}+(?: \p{L}+)?)(?=$| since| for| now| completely)/u,
    state: /^ (?:takes|drinks|eats|has|likes|uses|smokes|buys)\b/u,
    why: "says that they take it no more",
  },
  {
    event: did(`moved out of ${THE}(?<named>.+?)(?= and | into |,|$)`),
    state: /^ lives? (?:in|at|on)\b/u,
    why: "says that they moved out",
  },
  {
    event: did(`(?:cancell?ed|called off|had to (?:cancel|call off)) ${THE}(?<calledOff>.+)`),
    state:
      /^ (?:has (?:an?|the)|is (?:planning|having|going|getting|flying|travell?ing|taking)|plans|booked)\b/u,
    why: "says that it does not take place",
  },
];
