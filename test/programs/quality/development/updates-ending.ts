import { ends, type LabelledUpdate } from "../updates.ts";

/** Each makes something untrue that is stored. */
export const ENDING_UPDATES: readonly LabelledUpdate[] = [
  ends(
    "finally unpacked the last box, Rotterdam is home now",
    [
      "The user lives in Nijmegen",
      "The user's parents live in Nijmegen",
      "The user plays badminton",
    ],
    [0],
  ),
  ends(
    "Handed in my badge at the airport yesterday, I'm with a courier firm from Monday on",
    [
      "The user works in security at the airport",
      "The user's wife works at the airport",
      "The user gets up at 4",
    ],
    [0],
  ),
  ends(
    "Dimitra and I split up in the summer, it's fine, we're still friends",
    ["The user's girlfriend is Dimitra", "Dimitra is from Patras", "The user likes climbing"],
    [0],
  ),
  ends(
    "we had to say goodbye to Biscuit on Sunday. 16 years, what a good boy",
    [
      "The user has a dog called Biscuit",
      "The user has a cat called Plum",
      "The user likes long walks",
    ],
    [0],
  ),
  ends(
    "sold the Fiesta to a student, I get around by tram these days",
    ["The user drives a Ford Fiesta", "The user commutes by car", "The user lives in Sheffield"],
    [0, 1],
  ),
  ends(
    "haven't had a cigarette since New Year's, and I'm not going back",
    [
      "The user smokes half a pack a day",
      "The user drinks green tea",
      "The user's father smokes a pipe",
    ],
    [0],
  ),
  ends(
    "turned 40 last weekend, big party, no regrets",
    ["The user is 39 years old", "The user's brother is 36 years old", "The user lives in Aalborg"],
    [0],
  ),
  ends(
    "I eat fish again since the holiday, meat still no",
    ["The user eats a strictly vegan diet", "The user likes tofu", "The user does not eat meat"],
    [0],
  ),
  ends(
    "heads up: the go-live slipped from the 8th to the 22nd of September",
    [
      "The go-live is on September 8",
      "The go-live plan is owned by Petra",
      "The budget for the go-live is 12,000 euros",
    ],
    [0],
  ),
  ends(
    "the band goes by Velvet Pylon now, long story",
    [
      "The user's band is called The Pylons",
      "The user plays drums in a band",
      "The band rehearses on Wednesdays",
    ],
    [0],
  ),
  ends(
    "My hourly rate is 95 euros as of this year",
    [
      "The user's hourly rate is 80 euros",
      "The user is a freelance illustrator",
      "The user bills monthly",
    ],
    [0],
  ),
  ends(
    "prod is on Postgres 17 since last night",
    [
      "The production database is Postgres 15",
      "The staging database is Postgres 17",
      "The production database is in Frankfurt",
    ],
    [0],
  ),
  ends(
    "We ripped out Redux and went with Zustand",
    [
      "The user's web app uses Redux",
      "The user's web app uses React",
      "The user's web app has dark mode",
    ],
    [0],
  ),
  ends(
    "new year new me: left Graz for Linz, swapped the bank for a brewery, and I cycle to work",
    [
      "The user lives in Graz",
      "The user works at a bank",
      "The user takes the bus to work",
      "The user has a sister in Graz",
    ],
    [0, 1, 2],
  ),
  ends(
    "Marisol is our head of sales now that Edwin's left",
    ["Edwin is the head of sales", "Edwin works for the user's company", "Marisol speaks Catalan"],
    [0, 1],
  ),
  ends(
    "my number's changed, it's 0664 200 31 77 now",
    [
      "The user's phone number is 0664 118 90 02",
      "The user's email address is vroni@example.org",
      "The user prefers calls",
    ],
    [0],
  ),
  ends(
    "I got my full licence!! no more L plates",
    [
      "The user is learning to drive",
      "The user only has a learner's permit",
      "The user's brother is learning to drive",
    ],
    [0, 1],
  ),
  ends(
    "Ich trinke meinen Kaffee mittlerweile schwarz",
    [
      "The user takes milk in their coffee",
      "The user drinks three coffees a day",
      "The user lives in Kassel",
    ],
    [0],
  ),
  ends(
    "j'ai vendu la moto, trop dangereux avec le bébé",
    ["The user rides a motorcycle", "The user has a baby", "The user lives in Pau"],
    [0],
  ),
  ends(
    "ya no trabajo en la zapatería, monté mi propia floristería",
    [
      "The user works in a shoe shop",
      "The user has a degree in botany",
      "The user lives in Murcia",
    ],
    [0],
  ),
  ends(
    "来月じゃなくて、結婚式は6月に延期になりました",
    [
      "The user's wedding is in April",
      "The user's wedding is in Kyoto",
      "The user's fiancé is called Ren",
    ],
    [0],
  ),
  ends(
    "I finally caved and got an Android, the iPhone went to my niece",
    ["The user has an iPhone", "The user has an iPad", "The user takes lots of photos"],
    [0],
  ),
  ends(
    "office is open every weekday again, no more home-office Fridays",
    [
      "The user works from home on Fridays",
      "The user's office is in Malmö",
      "The user's office is closed on Fridays",
    ],
    [0, 2],
  ),
  ends(
    "I'm flying again, can you believe it. Two trips this month already",
    ["The user refuses to fly", "The user has not flown since 2019", "The user travels for work"],
    [0, 1],
  ),
  ends(
    "My grandmother moved out of her house and into a home near us",
    [
      "The user's grandmother lives in her own house",
      "The user's grandmother is 88",
      "The user's aunt lives in Turku",
    ],
    [0],
  ),
  ends(
    "correction, the room is B214 not B241",
    ["The seminar is in room B241", "The seminar is on Tuesdays", "The seminar is about Kant"],
    [0],
  ),
  ends(
    "I'm lead now, and there are nine of us since the merger",
    [
      "The user is a junior developer",
      "The user's team has five people",
      "The user's team sits in Ostrava",
    ],
    [0, 1],
  ),
];
