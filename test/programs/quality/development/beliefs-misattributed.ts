import { type LabelledBelief, unstated } from "../beliefs.ts";

/** Not stated of this person, or not by the user. */
export const MISATTRIBUTED_BELIEFS: readonly LabelledBelief[] = [
  unstated(
    "someone else's",
    ["user: a colleague at the nursery has three horses, imagine"],
    "The user has three horses",
    "has three horses",
  ),
  unstated(
    "someone else's",
    ["user: asking for my neighbour: he's 84 and lost his hearing aid"],
    "The user is 84 years old",
    "he's 84 and lost his hearing aid",
  ),
  unstated(
    "someone else's",
    ['user: "I grew up on a barge" is how her memoir begins, I\'m just the editor'],
    "The user grew up on a barge",
    "I grew up on a barge",
  ),
  unstated(
    "someone else's",
    ["user: dad's the beekeeper, I just eat the honey"],
    "The user is a beekeeper",
    "dad's the beekeeper",
  ),
  unstated(
    "wrong person",
    ["user: I've got psoriasis, my wife thankfully doesn't"],
    "The user's wife has psoriasis",
    "I've got psoriasis, my wife thankfully doesn't",
  ),
  unstated(
    "wrong person",
    ["user [Hugo]: I'm diabetic by the way", "user [Lene]: ok then I bring cheese"],
    "Lene is diabetic",
    "I'm diabetic by the way",
  ),
  unstated(
    "wrong person",
    ["user [Anouk]: I'm off to Malta in July", "user [Bas]: nice, I'm stuck in the office"],
    "Bas is going to Malta in July",
    "nice, I'm stuck in the office",
  ),
  unstated(
    "roles swapped",
    ["user: I lent Sanna my drill in March"],
    "Sanna lent the user a drill",
    "I lent Sanna my drill in March",
  ),
  unstated(
    "roles swapped",
    ["user: my niece taught me how to knit"],
    "The user taught their niece how to knit",
    "my niece taught me how to knit",
  ),
  unstated(
    "roles swapped",
    ["user: Lola beat me at squash again"],
    "The user beat Lola at squash",
    "Lola beat me at squash again",
  ),
  unstated(
    "assistant's words",
    [
      "user: what could I cook tonight",
      "assistant: As you love spicy food, how about a vindaloo?",
      "user: what's in it?",
    ],
    "The user loves spicy food",
    "what could I cook tonight",
  ),
  unstated(
    "assistant's words",
    [
      "user: recommend a holiday",
      "assistant: Parents of toddlers like you often go to Menorca.",
      "user: and in winter?",
    ],
    "The user has a toddler",
    "and in winter?",
  ),
  unstated(
    "refused as accepted",
    [
      "user: done for today",
      "assistant: Shall I sign you up for the weekly newsletter?",
      "user: please don't",
    ],
    "The user wants to receive the weekly newsletter",
    "please don't",
  ),
  unstated(
    "refused as accepted",
    [
      "user: my back hurts",
      "assistant: Maybe Pilates would suit you?",
      "user: tried that, rather something with weights",
    ],
    "The user prefers Pilates",
    "tried that, rather something with weights",
  ),
  unstated(
    "refused as accepted",
    ["user: need curtains", "assistant: You prefer the blue ones?", "user: green rather"],
    "The user prefers the blue curtains",
    "green rather",
  ),
  unstated(
    "yes to another question",
    [
      "user: what can I grow",
      "assistant: Do you have a garden?",
      "user: no",
      "assistant: A balcony then?",
      "user: yes",
    ],
    "The user has a garden",
    "yes",
  ),
  unstated(
    "yes to another question",
    [
      "user: shoes",
      "assistant: Are you a trail runner?",
      "user: why do you ask",
      "assistant: Soles differ. Shall I list all kinds?",
      "user: yes",
    ],
    "The user is a trail runner",
    "yes",
  ),
];
