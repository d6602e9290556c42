import { ends, type LabelledUpdate } from "../updates.ts";

/** Each makes something untrue that is stored. */
export const ENDING_UPDATES: readonly LabelledUpdate[] = [
  ends(
    "we've settled into the new place in Halifax, kids love it",
    ["The user lives in Fredericton", "The user was born in Fredericton", "The user has two kids"],
    [0],
  ),
  ends(
    "so I left the music library, I'm cataloguing for a museum now",
    [
      "The user works at the music library",
      "The user studied library science",
      "The user's desk at home is by the window",
    ],
    [0],
  ),
  ends(
    "me and Caleb called it quits",
    ["The user is dating Caleb", "The user has a sister called Ruth", "Caleb plays the trumpet"],
    [0],
  ),
  ends(
    "old Hector the tortoise didn't wake up from hibernation :(",
    [
      "The user has a tortoise called Hector",
      "The user keeps tropical fish",
      "The user has a garden",
    ],
    [0],
  ),
  ends(
    "the Vespa's gone, got 900 for it",
    ["The user rides a Vespa", "The user has a mountain bike", "The user is from Livorno"],
    [0],
  ),
  ends(
    "I'm done with energy drinks, switched to plain water months ago",
    [
      "The user drinks two energy drinks a day",
      "The user works night shifts",
      "The user goes to the gym",
    ],
    [0],
  ),
  ends(
    "It's official, Ines is a teenager: thirteen today!",
    ["The user's daughter Ines is 12", "The user's son Hugo is 9", "Ines plays handball"],
    [0],
  ),
  ends(
    "gave up on keto, bread is just too good",
    [
      "The user is on a keto diet",
      "The user bakes on Sundays",
      "The user's favorite meal is breakfast",
    ],
    [0],
  ),
  ends(
    "they pushed the stand-up to 10:15 starting next week",
    ["The stand-up is at 9:45", "The stand-up takes 15 minutes", "The team has six people"],
    [0],
  ),
  ends(
    "we rebranded over the weekend, the app is called Stackwell from today",
    [
      "The user's app is called Pantry Pal",
      "The app has 4,000 users",
      "The app is written in Swift",
    ],
    [0],
  ),
  ends(
    "membership went up, it's 42 a month at the climbing hall now",
    [
      "The membership at the climbing hall costs 36 a month",
      "The climbing hall opens at 7",
      "The user climbs on Mondays",
    ],
    [0],
  ),
  ends(
    "Bumped the toolchain, we compile with Rust 1.88 everywhere",
    [
      "The project is built with Rust 1.79",
      "The project is a parser",
      "The project has 40 contributors",
    ],
    [0],
  ),
  ends(
    "We moved all tickets over from Jira to Linear, Jira's shut down",
    [
      "The team tracks its work in Jira",
      "The team chats on Slack",
      "The team writes docs in Notion",
    ],
    [0],
  ),
  ends(
    "big changes: sold the flat, quit teaching, I'm on a sailing boat full time",
    [
      "The user owns a flat in Brest",
      "The user is a teacher",
      "The user lives in their flat in Brest",
      "The user's mother is from Brest",
    ],
    [0, 1, 2],
  ),
  ends(
    "Since Tuesday Obinna is the product owner, Greta went to marketing",
    ["Greta is the product owner", "Greta works on the product team", "Obinna lives in Enugu"],
    [0, 1],
  ),
  ends(
    "pls use tamsin@example.net from here on, the old inbox is closed",
    [
      "The user's email address is tamsin.o@example.com",
      "The user's website is tamsin.example",
      "The user reads mail in the evening",
    ],
    [0],
  ),
  ends(
    "Defended my thesis on Thursday, so it's Dr. now",
    ["The user is a PhD student", "The user studied in Uppsala", "The user researches moss"],
    [0],
  ),
  ends(
    "Ich bin jetzt bei der Feuerwehr in Celle, im Büro war's mir zu langweilig",
    ["The user works in an office", "The user lives in Celle", "The user likes board games"],
    [0],
  ),
  ends(
    "On a déménagé à Quimper en septembre",
    ["The user lives in Rennes", "The user works from home", "The user's brother lives in Rennes"],
    [0],
  ),
  ends(
    "cambié el gimnasio por la piscina, al gimnasio ya no voy",
    [
      "The user goes to the gym three times a week",
      "The user likes swimming",
      "The user gets up early",
    ],
    [0],
  ),
  ends(
    "我已经从上海搬到成都了",
    ["The user lives in Shanghai", "The user is a designer", "The user likes spicy food"],
    [0],
  ),
  ends(
    "dumped Spotify for Tidal, sound's way better",
    ["The user uses Spotify", "The user likes jazz", "The user has good headphones"],
    [0],
  ),
  ends(
    "Book club's moved to the last Thursday, Mondays didn't work for anyone",
    [
      "The book club meets on the first Monday of the month",
      "The book club reads crime novels",
      "The book club has nine members",
    ],
    [0],
  ),
  ends(
    "I can actually swim now!! started lessons in May and did 500 m today",
    [
      "The user can not swim",
      "The user has never had swimming lessons",
      "The user lives by a lake",
    ],
    [0, 1],
  ),
  ends(
    "Dad retired on Friday, 41 years at the post office",
    [
      "The user's father works at the post office",
      "The user's father collects stamps",
      "The user's mother is a florist",
    ],
    [0],
  ),
  ends(
    "oops I mistyped before, my shoe size is 39, not 93",
    ["The user's shoe size is 93", "The user likes sneakers", "The user is a runner"],
    [0],
  ),
  ends(
    "We let the cleaner go and do it ourselves, and the subscription box is cancelled too",
    [
      "The user has a cleaner",
      "The user gets a vegetable subscription box",
      "The user has a big kitchen",
    ],
    [0, 1],
  ),
];
