import { ends, endsNothing, type LabelledUpdate } from "../updates.ts";

/** More of what people say when something changed, written before the rules that read it. */
export const MORE_UPDATES: readonly LabelledUpdate[] = [
  ends(
    "got the keys yesterday! so as of this week I'm officially a Leeds resident",
    ["The user lives in Sheffield", "The user's brother lives in Sheffield", "The user is a baker"],
    [0],
  ),
  ends(
    "we left Turin behind, the whole family is in Genoa now",
    ["The user lives in Turin", "The user speaks Italian"],
    [0],
  ),
  ends(
    "no more hospital shifts for me, I'm doing home visits these days",
    [
      "The user works at a hospital",
      "The user is a nurse",
      "The user's sister works at a hospital",
    ],
    [0],
  ),
  ends(
    "they let me go on Tuesday. 11 years at Brandt & Co, just like that",
    ["The user works at Brandt & Co", "The user lives in Kassel"],
    [0],
  ),
  ends(
    "Priyanka and I are done, she moved out on Saturday",
    ["The user's girlfriend is Priyanka", "The user lives with Priyanka", "Priyanka is a dentist"],
    [0, 1],
  ),
  ends(
    "she said yes!! Noor is my fiancée now",
    ["Noor is the user's girlfriend", "Noor works at the zoo"],
    [0],
  ),
  ends(
    "Momo passed over the weekend, the flat is so quiet without the little guy",
    ["The user has a hamster called Momo", "The user lives in a flat"],
    [0],
  ),
  ends(
    "traded the Skoda for a cargo bike",
    ["The user drives a Skoda", "The user has two children"],
    [0],
  ),
  ends(
    "I'm 92 days sober today",
    ["The user drinks wine every evening", "The user likes olives"],
    [0],
  ),
  ends("just had my 30th", ["The user is 29 years old", "The user's sister is 27 years old"], [0]),
  ends(
    "back to eating cheese, I couldn't do it any longer",
    ["The user is vegan", "The user likes lentils"],
    [0],
  ),
  ends(
    "they've pushed the review back a week, it's on the 19th now",
    ["The review is on May 12", "The review is about the budget"],
    [0],
  ),
  ends(
    "our startup isn't Nimbly anymore, we rebranded as Quill",
    ["The user's startup is called Nimbly", "The user's startup has six people"],
    [0],
  ),
  ends(
    "I charge 70 an hour now",
    ["The user charges 55 an hour", "The user is a piano teacher"],
    [0],
  ),
  ends(
    "we bumped Node to 24 in the API last night",
    ["The API runs on Node 22", "The web app runs on Node 22", "The API is written in TypeScript"],
    [0],
  ),
  ends(
    "threw out Webpack, everything's on Vite now",
    ["The user's project uses Webpack", "The user's project uses React"],
    [0],
  ),
  ends(
    "swapped the gym for a climbing wall, and tea for coffee",
    ["The user goes to the gym", "The user drinks tea", "The user has a climbing rope"],
    [0, 1],
  ),
  ends(
    "Gunnar stepped down, so Aylin runs the club now",
    ["Gunnar runs the club", "Aylin is a lawyer"],
    [0],
  ),
  ends(
    "new email: mo@example.net, the old one's dead",
    ["The user's email address is mohammed@example.org", "The user's phone number is 0151 5550100"],
    [0],
  ),
  ends(
    "Defended on Monday, you may call me doctor",
    ["The user is writing a dissertation", "The user studies geology"],
    [0],
  ),
  ends("Ich arbeite jetzt bei Siemens", ["The user works at Bosch", "The user lives in Ulm"], [0]),
  ends(
    "on a déménagé à Nantes le mois dernier",
    ["The user lives in Rennes", "The user has a garden"],
    [0],
  ),
  ends("ya no fumo", ["The user smokes", "The user lives in Cádiz"], [0]),
  ends(
    "the Kindle's broken so I'm back to paper books",
    ["The user reads on a Kindle", "The user reads a lot"],
    [0],
  ),
  ends(
    "shop's closed on Mondays from now on",
    ["The shop is open every day", "The shop sells yarn"],
    [0],
  ),
  ends(
    "I can swim!! took me eight lessons",
    ["The user can not swim", "The user is afraid of deep water"],
    [0],
  ),
  ends(
    "my parents sold the farm and live in town now",
    ["The user's parents live on a farm", "The user grew up on a farm"],
    [0],
  ),
  ends(
    "sorry, typo: the flight is LH1834, not LH1843",
    ["The user's flight is LH1843", "The user's flight is on Sunday"],
    [0],
  ),
  ends(
    "we're twelve people now after the last hire",
    ["The user's team has eleven people", "The user's team is remote"],
    [0],
  ),
  ends(
    "made partner on Friday!",
    ["The user is an associate at a law firm", "The user lives in Bern"],
    [0],
  ),
  endsNothing("my cousin got laid off from Brandt & Co", [
    "The user works at Brandt & Co",
    "The user has a cousin",
  ]),
  endsNothing("thinking about selling the Skoda, what's it worth?", [
    "The user drives a Skoda",
    "The user lives in Brno",
  ]),
  endsNothing("off to Genoa for the weekend", [
    "The user lives in Turin",
    "The user likes the sea",
  ]),
  endsNothing("skipped the gym today, too tired", [
    "The user goes to the gym",
    "The user goes to bed early",
  ]),
  endsNothing("a friend of mine quit smoking last year", [
    "The user smokes",
    "The user has a friend called Olu",
  ]),
  endsNothing("we also have a boat now", ["The user has a car", "The user lives by a lake"]),
  endsNothing("I was in charge of the club from 2010 to 2014", [
    "Gunnar runs the club",
    "The user is a member of the club",
  ]),
  endsNothing("finished the last book of the series, loved it", [
    "The user reads a lot",
    "The user likes fantasy novels",
  ]),
];
