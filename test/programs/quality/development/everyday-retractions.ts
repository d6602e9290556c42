import { type LabelledRetraction, takesBack, takesNothingBack } from "../retractions.ts";

/** More of what takes back and of what only looks like it, in several languages. */
export const EVERYDAY_RETRACTIONS: readonly LabelledRetraction[] = [
  takesBack(
    "Streich das mit dem Hund, wir haben keinen.",
    ["The user has a dog", "The user has a garden"],
    [0],
  ),
  takesBack(
    "Oublie que je travaille à la mairie.",
    ["The user works at the town hall", "The user likes cycling"],
    [0],
  ),
  takesBack(
    "Olvida que vivo en Gijón.",
    ["The user lives in Gijón", "The user comes from Oviedo"],
    [0],
  ),
  takesBack(
    "Vergiss, dass ich in Bremen wohne.",
    ["The user lives in Bremen", "The user studied in Bremen"],
    [0],
  ),
  takesBack(
    "ignore the bit about me liking jazz, that was my flatmate typing",
    ["The user likes jazz", "The user plays the trumpet"],
    [0],
  ),
  takesBack(
    "the thing about me being from Leeds isn't true",
    ["The user is from Leeds", "The user supports Leeds United"],
    [0],
  ),
  takesBack(
    "I never said I have a Tesla. remove it",
    ["The user has a Tesla", "The user has a driving licence"],
    [0],
  ),
  takesBack(
    "it's not true that we deploy on Fridays",
    ["The team deploys on Fridays", "The team has a standup at 9"],
    [0],
  ),
  takesBack(
    "can you forget my phone number please",
    ["The user's phone number is 0160 5550123", "The user's email is k@mail.example"],
    [0],
  ),
  takesBack(
    "please unremember that my favourite band is Muse",
    ["The user's favourite band is Muse", "The user plays bass"],
    [0],
  ),
  takesBack(
    "The meeting on Friday is cancelled",
    ["The meeting is on Friday", "The report is due on Friday"],
    [0],
  ),
  takesBack(
    "we're not going to Rome after all",
    ["The user is going to Rome", "The user speaks Italian"],
    [0],
  ),
  takesBack(
    "my info about the budget being 20k was wrong",
    ["The budget is 20k", "The project ends in June"],
    [0],
  ),
  takesBack(
    "I don't work with Helen any longer",
    ["The user works with Helen", "Helen is an accountant"],
    [0],
  ),
  takesBack("I sold my car so drop that", ["The user has a car", "The user has a bike"], [0]),
  takesBack(
    "Nicht mehr merken, dass ich Klavier spiele.",
    ["The user plays the piano", "The user sings"],
    [0],
  ),
  takesBack(
    "Supprime mon adresse, s'il te plaît.",
    ["The user's address is 4 rue Verte, Lille", "The user works in Lille"],
    [0],
  ),
  takesNothingBack("Vergiss nicht, dass ich in Bremen wohne.", ["The user lives in Bremen"]),
  takesNothingBack("remove the brackets from line 3 please", ["The brackets are on line 3"]),
  takesNothingBack("my brother said he doesn't like jazz", ["The user likes jazz"]),
  takesNothingBack("N'oublie pas que je travaille à la mairie.", [
    "The user works at the town hall",
  ]),
  takesNothingBack("can you delete the last paragraph of the letter to the lawyer", [
    "The user is a lawyer",
  ]),
  takesNothingBack("I'll never forget my time in Leeds", ["The user is from Leeds"]),
  takesNothingBack("I'm not going to Rome before Easter", ["The user is going to Rome"]),
  takesBack(
    "Vergiss, dass ich in Bremen wohne.",
    ["The user lives in Bremen", "The user likes Werder"],
    [0],
  ),
  takesBack(
    "Oublie que j'habite à Lille.",
    ["The user lives in Lille", "The user works in Roubaix"],
    [0],
  ),
  takesBack(
    "Correction: I was born in 1989, not 1988.",
    ["The user was born in 1988", "The user was born in Graz"],
    [0],
  ),
  takesBack(
    "No, I meant Trento, not Turin.",
    ["The user is moving to Turin", "The user plays the cello"],
    [0],
  ),
];
