import { ends, endsNothing, type LabelledUpdate } from "../updates.ts";

/**
 * Attributes of everyday and what people say when one of them changes; every other
 * case was looked at while the rules were written.
 */
export const EVERYDAY_UPDATES: readonly LabelledUpdate[] = [
  ends(
    "I switched to a Pixel 9.",
    ["The user's phone is an iPhone 12", "The user's wife has an iPhone 15"],
    [0],
  ),
  ends(
    "I traded the Civic in for a Tesla Model 3.",
    ["The user drives a Honda Civic", "The user's dad drives a Volvo"],
    [0],
  ),
  ends(
    "Green is my favourite colour now.",
    ["The user's favourite colour is blue", "The user's favourite animal is the otter"],
    [0],
  ),
  ends(
    "Team meetings are now on Wednesdays at 2.",
    ["The user's team meets on Mondays at 10", "The user's team has a retro on Fridays"],
    [0],
  ),
  ends("I bike to work now.", ["The user takes the bus to work", "The user's bike is a Trek"], [0]),
  ends("Carla replaced Bob as CTO.", ["Bob is our CTO", "Dora is our CFO"], [0]),
  ends("We've migrated the API to GraphQL.", ["The API uses REST", "The web app uses React"], [0]),
  ends("I'm down to 76 kg.", ["The user weighs 82 kg", "The user is 180 cm tall"], [0]),
  ends(
    "we relocated to Trieste over the summer",
    ["The user lives in Udine", "The user's parents live in Udine"],
    [0],
  ),
  ends(
    "quick note, I've settled in Gdansk for good now",
    ["The user moved to Lublin in 2021", "The user's cousin is from Lublin"],
    [0],
  ),
  ends(
    "Started at Philips on Monday, so far so good!",
    ["The user works for Nokia", "The user's office chair is a Vitra"],
    [0],
  ),
  ends(
    "got promoted to staff engineer",
    ["The user is a senior engineer", "The user writes Rust"],
    [0],
  ),
  ends(
    "I quit teaching, I run a little bakery these days",
    ["The user works as a teacher", "The user likes sourdough"],
    [0],
  ),
  ends(
    "the ThinkPad died so I'm on a MacBook Air now",
    ["The user's laptop is a ThinkPad X1", "The user has an iPad"],
    [0],
  ),
  ends(
    "I upgraded to the Galaxy S25 last week",
    ["The user uses a Galaxy S21", "The user's brother uses a Galaxy S21"],
    [0],
  ),
  ends(
    "I eat meat again these days",
    ["The user is a vegetarian", "The user's daughter is a vegetarian"],
    [0],
  ),
  ends("I've gone vegan!", ["The user's favourite dish is beef stew", "The user eats meat"], [1]),
  ends("Elif and I got married in June", ["The user is engaged to Elif", "Elif is a vet"], [0]),
  ends(
    "my favourite band is Mogwai these days",
    ["The user's favourite band is Low", "The user's favourite film is Stalker"],
    [0],
  ),
  ends(
    "you can reach me at tove@example.com from now on",
    ["The user's email is tove@example.net", "The user's work email is t.berg@example.org"],
    [0],
  ),
  ends(
    "I've got a new number: 07700 900555",
    ["The user's phone number is 07700 900111", "The user's sister's number is 07700 900222"],
    [0],
  ),
  ends(
    "The choir rehearses on Thursdays now, Tuesdays clashed with handball",
    ["The choir rehearses on Tuesdays", "The choir has forty members"],
    [0],
  ),
  ends(
    "They moved the launch to October 14",
    ["The launch is on September 30", "The launch party is at the Astoria"],
    [0],
  ),
  ends(
    "the report is due Friday instead of Wednesday",
    ["The report is due on Wednesday", "The report is for the board"],
    [0],
  ),
  ends(
    "Haruto took over from Ines as team lead",
    ["Ines is the team lead", "Haruto is from Nagoya"],
    [0],
  ),
  ends(
    "Our new landlord is Mr. Petrov",
    ["The user's landlord is Mrs. Quist", "The user's rent is 900 euros"],
    [0],
  ),
  ends(
    "I walk to the office these days, it's only fifteen minutes",
    ["The user drives to the office", "The user owns a Mini"],
    [0],
  ),
  ends(
    "I now run ten k every morning",
    ["The user runs 5 km every morning", "The user runs with Zoe"],
    [0],
  ),
  ends(
    "we bumped the lifting up to five times a week",
    ["The user lifts weights three times a week", "The user's gym is called Forge"],
    [0],
  ),
  ends(
    "One of my cats died, so it's just the one now",
    ["The user has two cats", "The user has two sons"],
    [0],
  ),
  ends(
    "our third kid was born on Saturday",
    ["The user has two children", "The user has two brothers"],
    [0],
  ),
  ends(
    "I dropped Italian, no time for it",
    ["The user is learning Italian", "The user speaks French"],
    [0],
  ),
  ends(
    "cancelled Netflix yesterday",
    ["The user has a Netflix subscription", "The user has a Spotify subscription"],
    [0],
  ),
  ends("I don't do judo anymore", ["The user does judo", "The user's nephew does judo"], [0]),
  ends(
    "finished uni in July, finally done",
    ["The user studies biology at university", "The user shares a flat with two students"],
    [0],
  ),
  ends(
    "We deploy on Fly.io now instead of Heroku",
    ["The user's team deploys on Heroku", "The user's team uses GitHub"],
    [0],
  ),
  ends(
    "I moved all my notes from Evernote to Obsidian",
    ["The user takes notes in Evernote", "The user keeps tasks in Todoist"],
    [0],
  ),
  ends(
    "The Japan trip is off",
    ["The user is planning a trip to Japan", "The user speaks some Japanese"],
    [0],
  ),
  ends(
    "my budget for the sofa went up to 1200",
    ["The user's budget for the sofa is 800", "The user wants a grey sofa"],
    [0],
  ),
  ends(
    "I sit on the third floor now, by the kitchen",
    ["The user's desk is on the first floor", "The user's team has a kitchen"],
    [0],
  ),
  ends(
    "we renamed the project to Lantern",
    ["The project is called Firefly", "The project is open source"],
    [0],
  ),
  ends(
    "our old dog Bruno passed away in March",
    ["The user has a dog named Bruno", "The user has a cat named Miso"],
    [0],
  ),
  ends("I'm 35 now", ["The user is 34 years old", "The user's wife is 33 years old"], [0]),
  ends(
    "Wir sind nach Köln umgezogen",
    ["The user lives in Bonn", "The user's brother lives in Bonn"],
    [0],
  ),
  ends("J'ai déménagé à Nantes", ["The user lives in Lille", "The user likes oysters"], [0]),
  ends(
    "Ahora trabajo en Telefónica",
    ["The user works at Iberia", "The user lives in Getafe"],
    [0],
  ),
  endsNothing("I'd love to drive a Tesla one day.", [
    "The user drives a Honda",
    "The user has a parking permit",
  ]),
  endsNothing("Priya went on vacation.", ["The user's manager is Priya", "The user is on call"]),
  endsNothing("I took a taxi to work today.", [
    "The user takes the bus to work",
    "The user starts work at 8",
  ]),
  endsNothing("I cooked meat for my guests.", ["The user is a vegetarian", "The user cooks a lot"]),
  endsNothing("my sister switched to a Pixel", [
    "The user's phone is an iPhone 12",
    "The user has a sister",
  ]),
  endsNothing("we might move to Ghent next year", [
    "The user lives in Leuven",
    "The user works in Brussels",
  ]),
  endsNothing("Just bought a second car, a little Fiat for the city", [
    "The user drives a Volvo estate",
    "The user lives near Turin",
  ]),
  endsNothing("the meeting is on Thursday this week, because of the holiday", [
    "The team meeting is on Tuesdays",
    "The team meeting takes an hour",
  ]),
  endsNothing("I used to work at Ikea back when I was a student", [
    "The user works at Vattenfall",
    "The user studied physics",
  ]),
  endsNothing("if I get the offer I'll leave Siemens", [
    "The user works at Siemens",
    "The user has an interview on Monday",
  ]),
  endsNothing("is it worth switching to Linux?", [
    "The user's laptop runs Windows",
    "The user is a developer",
  ]),
  endsNothing("I also play the cello now", ["The user plays the piano", "The user sings"]),
  endsNothing("my colleague Jorge was promoted to director", [
    "The user is a product manager",
    "The user works with Jorge",
  ]),
  endsNothing("working from the cabin in Bohuslän for two weeks", [
    "The user lives in Gothenburg",
    "The user works at Ericsson",
  ]),
  endsNothing("my favourite tea is oolong", [
    "The user's favourite coffee is a cortado",
    "The user drinks coffee in the morning",
  ]),
  endsNothing("Dad sold his Passat", ["The user drives a Passat", "The user's dad is retired"]),
  endsNothing("we ordered pizza last night, way too much", [
    "The user eats no gluten",
    "The user has three kids",
  ]),
  endsNothing("I'm using my old Nokia while the screen gets fixed", [
    "The user has a Fairphone 5",
    "The user breaks a lot of screens",
  ]),
];
