import { type LabelledBelief, stated } from "../beliefs.ts";

/** Stated in a language other than English. */
export const LANGUAGE_BELIEFS: readonly LabelledBelief[] = [
  stated(
    "translation",
    ["user: Ich wohne seit drei Jahren mit meinem Freund in Leipzig"],
    "The user has lived in Leipzig with their boyfriend for three years",
    "Ich wohne seit drei Jahren mit meinem Freund in Leipzig",
  ),
  stated(
    "translation",
    ["user: bin letzten Freitag endlich in die neue Wohnung gezogen"],
    "The user moved into a new flat on 2026-05-01",
    "bin letzten Freitag endlich in die neue Wohnung gezogen",
  ),
  stated(
    "translation",
    ["user: je bosse comme infirmier de nuit à Nantes"],
    "The user works as a night nurse in Nantes",
    "je bosse comme infirmier de nuit à Nantes",
  ),
  stated(
    "translation",
    ["user: On a adopté un lapin avant-hier, il s'appelle Pompon"],
    "The user adopted a rabbit called Pompon on 2026-05-04",
    "On a adopté un lapin avant-hier, il s'appelle Pompon",
  ),
  stated(
    "translation",
    ["user: no como carne desde hace cuatro años"],
    "The user has not eaten meat for 4 years",
    "no como carne desde hace cuatro años",
  ),
  stated(
    "translation",
    ["user: Mi vuelo a Bogotá sale mañana a las siete y media de la tarde"],
    "The user's flight to Bogotá leaves on 2026-05-07 at 19:30",
    "Mi vuelo a Bogotá sale mañana a las siete y media de la tarde",
  ),
  stated(
    "translation",
    ["user: lavoro in una pasticceria e mi alzo alle quattro"],
    "The user works in a pastry shop and gets up at 4",
    "lavoro in una pasticceria e mi alzo alle quattro",
  ),
  stated(
    "translation",
    ["user: eu moro no Porto mas trabalho em Braga"],
    "The user lives in Porto and works in Braga",
    "eu moro no Porto mas trabalho em Braga",
  ),
  stated(
    "translation",
    ["user: Ik heb gisteren mijn rijbewijs gehaald!"],
    "The user got their driving licence on 2026-05-05",
    "Ik heb gisteren mijn rijbewijs gehaald",
  ),
  stated(
    "translation",
    ["user: mam trzy koty i żadnego psa"],
    "The user has 3 cats and no dog",
    "mam trzy koty i żadnego psa",
  ),
  stated(
    "translation",
    ["user: 妻は小学校の先生で、娘は来月で3歳になります。"],
    "The user's wife is a primary school teacher",
    "妻は小学校の先生で",
  ),
  stated(
    "translation",
    ["user: エビとカニのアレルギーがあるので食べられません"],
    "The user is allergic to shrimp and crab",
    "エビとカニのアレルギーがあるので食べられません",
  ),
  stated(
    "translation",
    ["user: 我在杭州一家游戏公司做美术，做了五年了"],
    "The user has been an artist at a game company in Hangzhou for 5 years",
    "我在杭州一家游戏公司做美术，做了五年了",
  ),
  stated(
    "translation",
    ["user: 我上周五刚提了新车"],
    "The user got a new car on 2026-05-01",
    "我上周五刚提了新车",
  ),
  stated(
    "own language",
    ["user: ich geh jeden Dienstag und Donnerstag klettern"],
    "Der Nutzer klettert dienstags und donnerstags",
    "ich geh jeden Dienstag und Donnerstag klettern",
  ),
  stated(
    "own language",
    ["user: j'ai arrêté le sucre en janvier"],
    "L'utilisateur ne mange plus de sucre depuis janvier 2026",
    "j'ai arrêté le sucre en janvier",
  ),
  stated(
    "own language",
    ["user: antes vivía en Rosario, ahora estoy en Mendoza"],
    "El usuario vive en Mendoza",
    "ahora estoy en Mendoza",
  ),
  stated(
    "own language",
    ["user: mio figlio ha cambiato scuola, adesso va al liceo artistico"],
    "Il figlio dell'utente frequenta il liceo artistico",
    "adesso va al liceo artistico",
  ),
  stated(
    "own language",
    ["user: Em agosto vou fazer um curso de cerâmica"],
    "O usuário vai fazer um curso de cerâmica em agosto de 2026",
    "Em agosto vou fazer um curso de cerâmica",
  ),
  stated(
    "own language",
    ["user: w zeszły piątek obroniłam magisterkę"],
    "Użytkowniczka obroniła pracę magisterską 2026-05-01",
    "w zeszły piątek obroniłam magisterkę",
  ),
];
