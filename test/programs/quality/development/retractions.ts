import { type LabelledRetraction, takesBack, takesNothingBack } from "../retractions.ts";

/** Labelled by someone who has not seen the local models' rules, which may be tuned on it since. */
export const DEVELOPMENT_RETRACTIONS: readonly LabelledRetraction[] = [
  takesBack(
    "forget that I live in Aveiro",
    ["The user lives in Aveiro", "The user works in Aveiro", "The user likes surfing"],
    [0],
  ),
  takesBack(
    "I no longer work for the railways",
    [
      "The user works for the railways",
      "The user lives near the station",
      "The user's father worked for the railways",
    ],
    [0],
  ),
  takesBack(
    "that thing about my favourite colour being mauve was wrong, it was a joke",
    ["The user's favorite color is mauve", "The user paints", "The user likes jokes"],
    [0],
  ),
  takesBack(
    "scrap what I told you about the Friday deadline, there isn't one",
    ["The deadline is on Friday", "The report is for the board", "The report has ten pages"],
    [0],
  ),
  takesBack(
    "You can delete my old address, Kiln Road 3, from your notes",
    ["The user's address is Kiln Road 3", "The user's postcode is LS6", "The user has a mailbox"],
    [0],
  ),
  takesBack(
    "we don't use Terraform anymore",
    ["The team uses Terraform", "The team uses Ansible", "The team has a shared on-call"],
    [0],
  ),
  takesBack(
    "I don't have a girlfriend anymore, so forget Aroha and everything about her",
    ["The user's girlfriend is Aroha", "Aroha is a potter", "The user is from Napier"],
    [0, 1],
  ),
  takesBack(
    "Vergiss bitte, dass ich Tennis spiele",
    ["The user plays tennis", "The user plays chess", "The user watches tennis on TV"],
    [0],
  ),
  takesBack(
    "oublie que j'aime le fromage de chèvre, je le supporte plus",
    ["The user likes goat cheese", "The user likes bread", "The user is from Tours"],
    [0],
  ),
  takesBack(
    "olvida que tengo coche, ya no tengo",
    ["The user has a car", "The user has a bicycle", "The user lives in Gijón"],
    [0],
  ),
  takesBack(
    "no wait, I was wrong, Tuesday isn't bin day",
    ["Bin day is Tuesday", "The street is swept on Fridays", "The user lives on Elm Row"],
    [0],
  ),
  takesBack(
    "I gave up on the novel, so no need to keep that in mind",
    ["The user is writing a novel", "The user reads a lot", "The user works as an editor"],
    [0],
  ),
  takesBack(
    "もう犬は飼っていません。忘れてください。",
    ["The user has a dog", "The user lives in Nagoya", "The user likes walks"],
    [0],
  ),
  takesBack(
    "Don't bring up my ex Marlon again. He's history, delete him from what you know about me",
    ["The user's ex is called Marlon", "The user lives alone", "The user likes salsa"],
    [0],
  ),
  takesNothingBack("Remember that I live in Lublin", [
    "The user lives in Lublin",
    "The user works nights",
  ]),
  takesNothingBack("don't forget that I'm seeing the bank on Monday", [
    "The user has an appointment at the bank on Monday",
    "The user banks with a credit union",
  ]),
  takesNothingBack("I forgot my keys again", [
    "The user has a spare key with the neighbor",
    "The user lives on the third floor",
  ]),
  takesNothingBack("my brother no longer eats meat, so we need a veggie option", [
    "The user eats meat",
    "The user has a brother",
  ]),
  takesNothingBack("was I wrong about the tram? does it run at night?", [
    "The tram runs at night",
    "The user takes the tram",
  ]),
  takesNothingBack("I'll never forget that summer in Naxos", [
    "The user spent the summer of 2009 in Naxos",
    "The user likes islands",
  ]),
  takesNothingBack("can you forget it's Monday for a second and tell me a joke", [
    "The user's weekly meeting is on Monday",
    "The user likes puns",
  ]),
  takesNothingBack("how do I make Word forget my recent files?", [
    "The user uses Word",
    "The user writes reports",
  ]),
  takesNothingBack("wie lösche ich eine App auf dem Fernseher?", [
    "The user has a smart TV",
    "The user lives in Ulm",
  ]),
  takesNothingBack("no te olvides de que mañana tengo ensayo", [
    "The user has a rehearsal on 2026-05-07",
    "The user plays the viola",
  ]),
  takesNothingBack("no longer than two pages please", [
    "The user's report is three pages long",
    "The user likes short texts",
  ]),
];
