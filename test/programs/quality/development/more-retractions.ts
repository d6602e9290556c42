import { type LabelledRetraction, takesBack, takesNothingBack } from "../retractions.ts";

/** More of what people say when they take something back, written before the rules that read it. */
export const MORE_RETRACTIONS: readonly LabelledRetraction[] = [
  takesBack(
    "Please forget that my birthday is on June 3",
    ["The user's birthday is on June 3", "The user's sister's birthday is on June 3"],
    [0],
  ),
  takesBack(
    "I don't play the flute any more",
    ["The user plays the flute", "The user plays the drums"],
    [0],
  ),
  takesBack(
    "I said I'm left-handed earlier but that's not true, ignore it",
    ["The user is left-handed", "The user lives in Lyon"],
    [0],
  ),
  takesBack(
    "what I said about moving to Oslo was nonsense",
    ["The user is moving to Oslo", "The user likes snow"],
    [0],
  ),
  takesBack(
    "remove my car from your memory, the Fiat",
    ["The user drives a Fiat", "The user has a garage"],
    [0],
  ),
  takesBack(
    "you can drop the thing about the book club",
    ["The user is in a book club", "The user likes crime novels"],
    [0],
  ),
  takesBack(
    "the part about my brother living in Delft is wrong",
    ["The user's brother lives in Delft", "The user's brother is called Jaap"],
    [0],
  ),
  takesBack(
    "Disregard the choir rehearsals, I mixed that up with my son",
    ["The user has choir rehearsals on Tuesdays", "The user has a son"],
    [0],
  ),
  takesBack(
    "actually no, I'm not a teacher, strike that",
    ["The user is a teacher", "The user lives in Cork"],
    [0],
  ),
  takesBack(
    "I never said I like jazz. Delete that",
    ["The user likes jazz", "The user likes blues"],
    [0],
  ),
  takesBack(
    "we no longer have the boat",
    ["The user has a boat", "The user has a mooring in Kiel"],
    [0],
  ),
  takesBack(
    "Vergiss, dass ich in Hamburg wohne",
    ["The user lives in Hamburg", "The user works in Hamburg"],
    [0],
  ),
  takesBack(
    "Oublie que je joue du piano",
    ["The user plays the piano", "The user plays chess"],
    [0],
  ),
  takesBack("ya no tengo perro", ["The user has a dog", "The user has a cat"], [0]),
  takesBack(
    "stop remembering that Kim is my boss, she isn't",
    ["Kim is the user's boss", "Kim plays golf"],
    [0],
  ),
  takesBack(
    "turns out I was mistaken: Leo isn't vegetarian",
    ["Leo is vegetarian", "Leo is the user's nephew"],
    [0],
  ),
  takesNothingBack("Please remember that my birthday is on June 4", [
    "The user's sister's birthday is on June 3",
    "The user likes cake",
  ]),
  takesNothingBack("I always forget that Kim is my boss, haha", [
    "Kim is the user's boss",
    "Kim plays golf",
  ]),
  takesNothingBack("did you forget that I live in Hamburg?", [
    "The user lives in Hamburg",
    "The user works in Hamburg",
  ]),
  takesNothingBack("how do I delete the old photos from my car's display?", [
    "The user drives a Fiat",
    "The user likes photos",
  ]),
  takesNothingBack("she said that was wrong of me", [
    "The user's wife is called Ines",
    "The user is a lawyer",
  ]),
  takesNothingBack("drop me a reminder about the book club tomorrow", [
    "The user is in a book club",
    "The user likes crime novels",
  ]),
];
