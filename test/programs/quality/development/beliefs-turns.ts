import { type LabelledBelief, stated } from "../beliefs.ts";

/** Stated by one of several speakers, by a correction, an answer or words of many turns ago. */
export const TURN_BELIEFS: readonly LabelledBelief[] = [
  stated(
    "speaker",
    [
      "user [Marek]: I'm on the late shift all week",
      "user [Petra]: and I've got the twins at home with flu",
    ],
    "Petra's twins have the flu",
    "I've got the twins at home with flu",
  ),
  stated(
    "speaker",
    [
      "user [Owen]: where shall we eat?",
      "assistant: There is a trattoria near you.",
      "user [Suki]: I'm coeliac, so no pasta place please",
    ],
    "Suki has coeliac disease",
    "I'm coeliac",
  ),
  stated(
    "speaker",
    ["user [Dana]: My tenancy ends in August", "user [Lior]: mine's up in October"],
    "Lior's tenancy ends in October",
    "mine's up in October",
  ),
  stated(
    "speaker",
    ["user [Femi]: who has the keys?", "user [Greta]: me, I open the shop on weekdays"],
    "Greta opens the shop on weekdays",
    "I open the shop on weekdays",
  ),
  stated(
    "speaker",
    ["user [Ines]: no coriander please, Tomás hates it", "user [Tomás]: 🤢 true"],
    "Tomás hates coriander",
    "no coriander please, Tomás hates it",
  ),
  stated(
    "correction",
    ["user: I'm in Bristol — actually no, Bath, we moved over in spring"],
    "The user lives in Bath",
    "actually no, Bath, we moved over in spring",
  ),
  stated(
    "correction",
    [
      "user: my hearing is on the 14th of june",
      "assistant: Noted: 14 June.",
      "user: sorry, the 15th, misread it",
    ],
    "The user's hearing is on 15 June",
    "sorry, the 15th",
  ),
  stated(
    "correction",
    ["user: We have two, wait, three goats now"],
    "The user has three goats",
    "We have two, wait, three goats now",
  ),
  stated(
    "correction",
    [
      "user: rosin recommendations?",
      "assistant: For your viola, take a dark one.",
      "user: violin, not viola. always been violin",
    ],
    "The user plays the violin",
    "violin, not viola. always been violin",
  ),
  stated(
    "correction",
    [
      "user: set a place for Ayşe",
      "assistant: Ayşe is your sister, right?",
      "user: no, my sister-in-law",
    ],
    "Ayşe is the user's sister-in-law",
    "no, my sister-in-law",
  ),
  stated(
    "correction",
    ["user: it wasn't Oxford I went to, it was Oxford Brookes, people always mix that up"],
    "The user attended Oxford Brookes",
    "it wasn't Oxford I went to, it was Oxford Brookes",
  ),
  stated(
    "confirmation",
    [
      "user: which trail on sunday",
      "assistant: Will you have a dog with you?",
      "user: yep, my greyhound",
    ],
    "The user has a greyhound",
    "yep, my greyhound",
  ),
  stated(
    "confirmation",
    [
      "user: help with the tax form",
      "assistant: Is the house in your own name or shared with your partner?",
      "user: shared, fifty fifty",
    ],
    "The user and their partner each own half of the house",
    "shared, fifty fifty",
  ),
  stated(
    "confirmation",
    [
      "user: I'd need home insurance",
      "assistant: Any pets or smokers in the home?",
      "user: no to both",
    ],
    "There are no pets and no smokers in the user's home",
    "no to both",
  ),
  stated(
    "confirmation",
    [
      "user: badge for the parade?",
      "assistant: Are you still with the fire brigade?",
      "user: Not anymore, left in January",
    ],
    "The user left the fire brigade in January",
    "Not anymore, left in January",
  ),
  stated(
    "confirmation",
    ["user: quiz for my boy please", "assistant: He is in year 5, right?", "user: 6 now"],
    "The user's son is in year 6",
    "6 now",
  ),
  stated(
    "confirmation",
    [
      "user: boarding for Milo, two nights",
      "assistant: Does Milo need any medicine during the stay?",
      "user: twice a day, for the heart",
    ],
    "Milo takes heart medicine twice a day",
    "twice a day, for the heart",
  ),
  stated(
    "confirmation",
    [
      "user: Mir ist Wasser aus der Wand gelaufen",
      "assistant: Haben Sie eine Hausratversicherung?",
      "user: jawohl, bei der Allianz",
    ],
    "The user has home contents insurance with Allianz",
    "jawohl, bei der Allianz",
  ),
  stated(
    "recall",
    [
      "user: finally bought a boat, the Halcyon",
      "assistant: Congratulations!",
      "user: list of knots?",
      "assistant: Bowline, cleat hitch, clove hitch.",
      "user: and paint?",
      "assistant: Antifouling below, enamel above.",
      "user: cheers. she leaks a bit at the stern tho",
    ],
    "The user's boat Halcyon leaks at the stern",
    "she leaks a bit at the stern",
  ),
  stated(
    "recall",
    [
      "user: new client: Brightwater council",
      "assistant: Great.",
      "user: draft an invoice",
      "assistant: Which terms?",
      "user: they pay within sixty days",
    ],
    "Brightwater council pays within 60 days",
    "they pay within sixty days",
  ),
  stated(
    "recall",
    [
      "user: my boss Halldóra needs slides",
      "assistant: How many?",
      "user: ten",
      "assistant: Here are ten.",
      "user: no hurry after all, she's on leave till august",
    ],
    "The user's boss Halldóra is on leave until August",
    "she's on leave till august",
  ),
  stated(
    "pronoun",
    ["user: my ex Corey has the kids this week", "user: he's just two streets over so it's easy"],
    "The user's ex Corey lives two streets away",
    "he's just two streets over",
  ),
  stated(
    "pronoun",
    ["user: Both my sisters work in healthcare", "user: the older one's a midwife"],
    "The user's older sister is a midwife",
    "the older one's a midwife",
  ),
  stated(
    "pronoun",
    ["user: Bo and Lin own the café with us", "user: they do the kitchen, we do the front"],
    "Bo and Lin run the kitchen of the café",
    "they do the kitchen",
  ),
  stated(
    "pronoun",
    [
      "user: I finally replaced the laptop",
      "assistant: With what?",
      "user: it's a ThinkPad, 32 gigs of ram",
    ],
    "The user's new laptop is a ThinkPad with 32 GB of memory",
    "it's a ThinkPad, 32 gigs of ram",
  ),
  stated(
    "pronoun",
    [
      "user: hey its Amara",
      "assistant: Hi Amara!",
      "user: I teach archery on saturdays so no calls then",
    ],
    "Amara teaches archery on Saturdays",
    "I teach archery on saturdays",
  ),
];
