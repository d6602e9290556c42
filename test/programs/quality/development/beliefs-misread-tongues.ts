import { type LabelledBelief, unstated } from "../beliefs.ts";

/** Not stated, of messages in other languages than English. */
export const MISREAD_TONGUE_BELIEFS: readonly LabelledBelief[] = [
  unstated(
    "wish as fact",
    ["user: Ich hätte so gern einen Hund, aber der Vermieter stellt sich quer"],
    "The user has a dog",
    "Ich hätte so gern einen Hund",
  ),
  unstated(
    "someone else's",
    ["user: meine Chefin fährt Porsche, ich fahr Bus"],
    "The user drives a Porsche",
    "meine Chefin fährt Porsche",
  ),
  unstated(
    "condition as fact",
    ["user: si j'avais un jardin, je planterais des figuiers"],
    "The user has a garden with fig trees",
    "je planterais des figuiers",
  ),
  unstated(
    "question as fact",
    ["user: ¿se vive bien en Oviedo?"],
    "The user lives in Oviedo",
    "¿se vive bien en Oviedo?",
  ),
  unstated(
    "someone else's",
    ["user: mi primo es piloto y nunca está en casa"],
    "El usuario es piloto",
    "es piloto y nunca está en casa",
  ),
  unstated(
    "past as present",
    ["user: non ho più la moto da quando è nato Leo"],
    "The user has a motorcycle",
    "la moto da quando è nato Leo",
  ),
  unstated(
    "wrong number",
    ["user: abito al settimo piano e l'ascensore è rotto"],
    "The user lives on the sixth floor",
    "abito al settimo piano",
  ),
  unstated(
    "wish as fact",
    ["user: queria tanto aprender a tocar violino"],
    "The user plays the violin",
    "tocar violino",
  ),
  unstated(
    "roles swapped",
    ["user: o João emprestou-me o carro dele"],
    "The user lent João a car",
    "o João emprestou-me o carro",
  ),
  unstated(
    "past as present",
    ["user: ik heb tot vorig jaar in Groningen gewoond"],
    "The user lives in Groningen",
    "in Groningen gewoond",
  ),
  unstated(
    "wrong number",
    ["user: mijn pianoles begint om half acht"],
    "The user's piano lesson starts at 8:30",
    "mijn pianoles begint om half acht",
  ),
  unstated(
    "negation lost",
    ["user: nie palę od trzech lat, uff"],
    "Użytkownik pali papierosy",
    "nie palę od trzech lat",
  ),
  unstated(
    "wish as fact",
    ["user: chciałabym kiedyś zobaczyć Islandię"],
    "The user has visited Iceland",
    "zobaczyć Islandię",
  ),
  unstated(
    "negation lost",
    ["user: お酒は一滴も飲めません"],
    "The user drinks alcohol",
    "お酒は一滴も飲めません",
  ),
  unstated(
    "someone else's",
    ["user: 姉は医者で、毎日忙しそうです"],
    "ユーザーは医者である",
    "医者で、毎日忙しそうです",
  ),
  unstated(
    "wish as fact",
    ["user: いつか自分の店を持ちたい"],
    "The user owns a shop",
    "自分の店を持ちたい",
  ),
  unstated("negation lost", ["user: 我没有养猫，养的是乌龟"], "The user has a cat", "养猫"),
  unstated(
    "condition as fact",
    ["user: 如果中了彩票我就辞职"],
    "The user has quit their job",
    "我就辞职",
  ),
  unstated(
    "someone else's",
    ["user: 我儿子钢琴弹得不错"],
    "The user plays the piano well",
    "钢琴弹得不错",
  ),
];
