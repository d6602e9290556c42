import { type LabelledRetraction, takesBack, takesNothingBack } from "../retractions.ts";

/** Labelled by someone who has seen neither the local models' rules nor their tests. */
export const FRESH_RETRACTIONS: readonly LabelledRetraction[] = [
  takesBack(
    "please forget that I play the harp, that was ages ago",
    ["The user plays the harp", "The user sings", "The user is from Kerry"],
    [0],
  ),
  takesBack(
    "I'm no longer a member of the rowing club",
    [
      "The user is a member of the rowing club",
      "The user is a member of the library",
      "The user has strong arms",
    ],
    [0],
  ),
  takesBack(
    "What I said about owning a horse isn't true, sorry, I was teasing",
    ["The user owns a horse", "The user likes animals", "The user lives in the country"],
    [0],
  ),
  takesBack(
    "Disregard the part about the launch party, it's not happening",
    ["There is a launch party on June 12", "The launch is on June 10", "The product is a lamp"],
    [0],
  ),
  takesBack(
    "take my work number out of your memory please",
    [
      "The user's work phone number is 020 555 0144",
      "The user's mobile number is 07700 900 812",
      "The user prefers text messages",
    ],
    [0],
  ),
  takesBack(
    "we stopped doing code freezes altogether",
    [
      "The team has a code freeze before each release",
      "The team releases monthly",
      "The team reviews every change",
    ],
    [0],
  ),
  takesBack(
    "forget everything I told you about the Zagreb trip, it's off",
    [
      "The user travels to Zagreb in July",
      "The user's hotel in Zagreb is the Dubrava",
      "The user likes trams",
    ],
    [0, 1],
  ),
  takesBack(
    "Das mit dem Umzug nach Jena stimmt nicht mehr, vergiss es",
    ["The user is moving to Jena", "The user lives in Erfurt", "The user studies biology"],
    [0],
  ),
  takesBack(
    "Ce que j'ai dit sur mon âge était faux, efface-le",
    ["The user is 28 years old", "The user is a student", "The user lives in Caen"],
    [0],
  ),
  takesBack(
    "lo de que soy zurdo era mentira, bórralo",
    ["The user is left-handed", "The user plays the guitar", "The user is tall"],
    [0],
  ),
  takesBack(
    "I misspoke earlier, Yusra isn't my cousin",
    ["Yusra is the user's cousin", "Yusra lives in Sfax", "The user has three cousins"],
    [0],
  ),
  takesBack(
    "never mind the no-garlic thing, I can eat whatever, that was my sister",
    ["The user does not eat garlic", "The user has a sister", "The user likes pasta"],
    [0],
  ),
  takesBack(
    "我之前说我会弹钢琴是开玩笑的，忘了吧",
    ["The user plays the piano", "The user likes concerts", "The user is from Xiamen"],
    [0],
  ),
  takesBack(
    "pls remove the reminder about me hating phone calls, I've come to like them",
    ["The user hates phone calls", "The user is shy", "The user has a landline"],
    [0],
  ),
  takesNothingBack("remember: our wifi guest network is called Walrus", [
    "The guest network is called Walrus",
    "The router is in the hall",
  ]),
  takesNothingBack("never forget my mum's birthday is May 30", [
    "The user's mother's birthday is on May 30",
    "The user's mother likes tulips",
  ]),
  takesNothingBack("totally forgot that I'd put the cake in, it's charcoal now", [
    "The user likes baking",
    "The user has an electric oven",
  ]),
  takesNothingBack("Svenja isn't with the agency any more", [
    "The user works for the agency",
    "The user's desk is next to the kitchen",
  ]),
  takesNothingBack("is it wrong that I still love Abba?", [
    "The user loves Abba",
    "The user collects records",
  ]),
  takesNothingBack("unforgettable evening, the opera in Verona", [
    "The user saw an opera in Verona",
    "The user likes Verdi",
  ]),
  takesNothingBack("Forget the diet, it's my birthday today!", [
    "The user is on a diet",
    "The user's birthday is on May 6",
  ]),
  takesNothingBack("which git command deletes a remote branch?", [
    "The user uses git",
    "The user's main branch is called trunk",
  ]),
  takesNothingBack("n'oublie pas que je suis végétarien", [
    "The user is vegetarian",
    "The user lives in Albi",
  ]),
  takesNothingBack("Vergiss nicht: die Katze bekommt nur Trockenfutter", [
    "The user's cat gets only dry food",
    "The user has a cat",
  ]),
  takesNothingBack("I can no longer wait for the holidays, two weeks to go!", [
    "The user has holidays in two weeks",
    "The user travels to Madeira",
  ]),
];
