import { endsNothing, type LabelledUpdate, saysAgain } from "../updates.ts";

/** Close as they come, each leaves true what is stored. */
export const KEEPING_UPDATES: readonly LabelledUpdate[] = [
  endsNothing("I'm in Dublin this week for a conference", [
    "The user lives in Antwerp",
    "The user works for a bank",
  ]),
  endsNothing("my sister just moved to Ottawa for her PhD", [
    "The user lives in Hull",
    "The user has a sister",
  ]),
  endsNothing("I'd love to live in Kyoto for a year", [
    "The user lives in Manchester",
    "The user is learning Japanese",
  ]),
  endsNothing("got a second cat, Olive, she and the first one are hissing at each other", [
    "The user has a cat called Clementine",
    "The user lives in a flat",
  ]),
  endsNothing("Back in 2012 I was living in Tallinn, great times", [
    "The user lives in Vilnius",
    "The user speaks Estonian",
  ]),
  endsNothing("borrowing my neighbour's van while mine's in the shop", [
    "The user drives a Citroën Berlingo",
    "The user is a plumber",
  ]),
  endsNothing("staying with my cousin till the bathroom's redone", [
    "The user lives in Odesa Street 4",
    "The user is renovating the bathroom",
  ]),
  endsNothing("the staging box is on Ubuntu 26.04 now", [
    "The production server runs Ubuntu 24.04",
    "The servers are hosted in Helsinki",
  ]),
  endsNothing("should I sell the car? parking's killing me", [
    "The user has a car",
    "The user lives in the centre of Porto",
  ]),
  endsNothing("no coffee for me today, I slept badly", [
    "The user drinks coffee every morning",
    "The user goes to bed late",
  ]),
  endsNothing("If they offered me Berlin I'd quit on the spot", [
    "The user works in Dresden",
    "The user has a boss called Uwe",
  ]),
  endsNothing("I like the blue one too, hard to choose", [
    "The user likes the green sofa",
    "The user is furnishing the living room",
  ]),
  endsNothing("wir haben am Wochenende Freunde in Prag besucht", [
    "The user lives in Chemnitz",
    "The user's friends are from school",
  ]),
  endsNothing("Met up with my ex Jonas for coffee, nice to see him", [
    "The user's boyfriend is Emre",
    "The user broke up with Jonas in 2022",
  ]),
  endsNothing("Ruben's birthday is the 5th, mine's the day after by the way", [
    "Ruben's birthday is on July 5",
    "The user's daughter's birthday is on July 4",
  ]),
  saysAgain(
    "yeah I'm a beekeeper, have I said that? 14 hives",
    ["The user keeps 14 hives of bees", "The user sells honey at the market"],
    0,
  ),
  saysAgain(
    "still in Bruges btw, same little house",
    ["The user lives in a small house in Bruges", "The user restores clocks"],
    0,
  ),
  saysAgain(
    "Meine Katze heißt übrigens Momo",
    ["The user's cat is called Momo", "The user's dog is called Rudi"],
    0,
  ),
];
