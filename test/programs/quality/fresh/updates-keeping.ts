import { endsNothing, type LabelledUpdate, saysAgain } from "../updates.ts";

/** Close as they come, each leaves true what is stored. */
export const KEEPING_UPDATES: readonly LabelledUpdate[] = [
  endsNothing("spending Easter at my in-laws' in Bari", [
    "The user lives in Turin",
    "The user likes cooking",
  ]),
  endsNothing("Pete from work quit, he's with a startup now", [
    "The user works for an insurer",
    "The user's manager is Carmen",
  ]),
  endsNothing("one of these days I'll swap this laptop for a Mac", [
    "The user's laptop is a ThinkPad",
    "The user works in Vim",
  ]),
  endsNothing("I've taken up Saturday pottery on top of the choir", [
    "The user sings in a choir",
    "The user is retired",
  ]),
  endsNothing("In my twenties I worked for Nokia for a bit", [
    "The user works in a school kitchen",
    "The user has an engineering degree",
  ]),
  endsNothing("Taking the train this month because of the roadworks", [
    "The user drives to work",
    "The user lives in Reading",
  ]),
  endsNothing("covering for Halina at the front desk until she's back", [
    "The user works in accounting",
    "Halina works at the front desk",
  ]),
  endsNothing("for the mobile app we went with Flutter", [
    "The web app is written in Angular",
    "The backend is written in Kotlin",
  ]),
  endsNothing("would it make sense to move off MySQL at some point?", [
    "The user's shop runs on MySQL",
    "The user's shop sells tea",
  ]),
  endsNothing("skipping practice tonight, too much snow", [
    "The user goes to judo practice on Thursdays",
    "The user drives to practice",
  ]),
  endsNothing("if the price goes over 60 I'll cancel", [
    "The user has a season ticket for 52 euros",
    "The user goes to the theatre",
  ]),
  endsNothing("Thai is great as well!", [
    "The user's favorite food is Lebanese",
    "The user eats out on Fridays",
  ]),
  endsNothing("ma voisine a déménagé à Metz", [
    "The user lives in Nancy",
    "The user's neighbor plays the piano",
  ]),
  endsNothing("My old boss Trudy called, she wants me back lol", [
    "The user's boss is Ahmed",
    "The user used to work for Trudy",
  ]),
  endsNothing("Our other shop, the one in Bath, opens at nine", [
    "The shop in Bristol opens at 10",
    "The user has two shops",
  ]),
  saysAgain(
    "as I keep telling everyone, no mushrooms on mine please, never",
    ["The user likes pizza", "The user does not eat mushrooms"],
    1,
  ),
  saysAgain(
    "we still do releases Wednesdays at noon",
    ["The on-call rota changes on Mondays", "Releases are on Wednesdays at 12:00"],
    1,
  ),
  saysAgain(
    "mi hija estudia arquitectura en Granada, creo que ya lo dije",
    ["The user's son is a carpenter", "The user's daughter studies architecture in Granada"],
    1,
  ),
];
