/** What models take for a fact about the user though the message says it of others, denies it or gives it as a text. */
import { describe, expect, test } from "vitest";
import type { Doubt } from "../../../src/providers/model-call.ts";
import { doubted } from "./doubted.ts";

type Told = readonly [message: string, fact: string, quote?: string];

describe.each<[string, Doubt, readonly Told[]]>([
  [
    "whose something is",
    "subject",
    [
      ["my neighbour's wifi password is tulip99", "The user's wifi password is tulip99"],
      ["Omar's blood type is AB", "The user's blood type is AB"],
      ["Their wedding is on 3 June", "The user's wedding is on 3 June"],
      ["the surname of my late aunt was Voss", "The user's surname was Voss"],
      ["Lena's dog has fleas", "The user's dog has fleas"],
      ["my brother's wife is a judge", "The user's wife is a judge"],
      ["my sister's boyfriend's car is new", "The user's sister's car is new"],
      ["das Auto meiner Chefin ist neu", "Das Auto des Nutzers ist neu"],
      ["le vélo de Thomas est neuf", "Le vélo de l'utilisateur est neuf"],
      ["l'adresse d'Anna est rue Haute", "L'adresse de l'utilisateur est rue Haute"],
      ["la casa de mis abuelos tiene piscina", "La casa del usuario tiene piscina"],
      ["la bici di mia zia è nuova", "La bici dell'utente è nuova"],
      ["o carro da minha tia é novo", "O carro do usuário é novo"],
      ["de fiets van mijn oom is nieuw", "De fiets van de gebruiker is nieuw"],
      ["dom mojej babci jest stary", "Dom użytkownika jest stary"],
      ["兄の車は赤いです", "ユーザーの車は赤い"],
      ["她的车是新的", "用户的车是新的"],
    ],
  ],
  [
    "what others say",
    "subject",
    [
      ["my mother told me she was born in Malmö", "The user was born in Malmö"],
      ["Bruno says he has a cabin", "The user has a cabin", "he has a cabin"],
      ["Facebook thinks I like golf", "The user likes golf", "I like golf"],
      ["the letter states that I owe 400 euros", "The user owes 400 euros", "I owe 400 euros"],
      ["Uta sagt, dass sie ein Boot hat", "Der Nutzer hat ein Boot", "dass sie ein Boot hat"],
      ["mon frère dit qu'il a acheté une ferme", "L'utilisateur a acheté une ferme"],
      ["mi vecina dice que tiene tres gatos", "El usuario tiene tres gatos"],
      ["Luca ha detto che vive a Bari", "L'utente vive a Bari", "vive a Bari"],
      ["o Rui disse que tem um barco", "O usuário tem um barco", "tem um barco"],
      ["Bram zegt dat hij in Gent woont", "De gebruiker woont in Gent"],
      ["Ola mówi, że mieszka w Gdyni", "Użytkownik mieszka w Gdyni", "mieszka w Gdyni"],
      ["鈴木さんは大阪に住んでいると言っていた", "ユーザーは大阪に住んでいる"],
      ["老王说他住在成都", "用户住在成都", "他住在成都"],
    ],
  ],
  [
    "what was not done, or is not so",
    "negation",
    [
      ["I almost became a priest", "The user became a priest"],
      ["I came close to buying a farm", "The user bought a farm", "buying a farm"],
      ["I failed to get a seat", "The user got a seat", "get a seat"],
      ["I tried to quit smoking, without success", "The user quit smoking"],
      ["I missed the flight to Tokyo", "The user flew to Tokyo"],
      ["j'ai essayé de vendre la maison", "L'utilisateur a vendu la maison"],
      ["ho cercato di affittare un garage", "L'utente affitta un garage"],
      ["tentei comprar uma loja", "O usuário comprou uma loja"],
      ["próbowałem kupić dom", "Użytkownik kupił dom"],
      ["I refused to sign the lease", "The user signed the lease", "sign the lease"],
      ["I stopped taking the bus", "The user takes the bus", "taking the bus"],
      ["I doubt that I'm tone-deaf", "The user is tone-deaf", "I'm tone-deaf"],
      ["it's a lie that I own a yacht", "The user owns a yacht", "I own a yacht"],
      ["I'm not allergic to latex", "The user is allergic to latex", "allergic to latex"],
      ["ich wäre beinahe nach Graz gezogen", "Der Nutzer ist nach Graz gezogen"],
      ["j'ai failli vendre la maison", "L'utilisateur a vendu la maison"],
      ["casi compro un piso", "El usuario compró un piso"],
      ["ho rifiutato il posto a Pisa", "L'utente ha il posto a Pisa"],
      ["quase aluguei uma loja", "O usuário alugou uma loja"],
      ["ik heb bijna een boot gekocht", "De gebruiker heeft een boot gekocht"],
      ["odmówiłem podpisania umowy", "Użytkownik podpisał umowę"],
      ["家を買うところでした", "ユーザーは家を買った"],
      ["我差点卖了车", "用户卖了车", "卖了车"],
    ],
  ],
  [
    "what is said in jest, or is a lie",
    "modality",
    [
      ["as a joke I said I'm a count", "The user is a count", "I'm a count"],
      ["I lied and said I have a pilot's licence", "The user has a pilot's licence"],
      ["the rumour that I sold up is nonsense", "The user sold up", "I sold up"],
      ["aus Spaß sagte ich, ich bin Graf", "Der Nutzer ist Graf", "ich bin Graf"],
    ],
  ],
  [
    "a text to work on",
    "instruction",
    [
      ["Rewrite in passive voice: I feed my two horses.", "The user has two horses"],
      ["Could you please shorten this: I run a farm in Kent.", "The user runs a farm in Kent"],
      ["Improve my text: I study medicine in Graz", "The user studies medicine in Graz"],
      ["Here is a text to summarise: I moved to Peru.", "The user moved to Peru"],
      ["Please translate this. I have four daughters.", "The user has four daughters"],
      ["translate into French\nI am a lawyer in Kent", "The user is a lawyer in Kent"],
      ["Bitte ins Englische übersetzen: Ich habe zwei Pferde.", "Der Nutzer hat zwei Pferde"],
      ["Corrige : j'habite à Brest.", "L'utilisateur habite à Brest"],
      ["Traduce al inglés: vivo en Lima.", "El usuario vive en Lima"],
      ["Correggi: io vivo a Bari.", "L'utente vive a Bari"],
      ["Corrige: eu moro em Braga.", "O usuário mora em Braga"],
      ["Verbeter de zin: ik woon in Gent.", "De gebruiker woont in Gent"],
      ["Popraw: mieszkam w Gdyni.", "Użytkownik mieszka w Gdyni"],
      ["英訳に直して：大阪に住んでいます。", "ユーザーは大阪に住んでいる"],
      ["翻译成英文：我住在成都。", "用户住在成都"],
    ],
  ],
  [
    "a text from elsewhere",
    "instruction",
    [
      ["ok so?\n> I live in Turin", "The user lives in Turin"],
      ["```\nI live in Turin\n```\nis it one line?", "The user lives in Turin", "I live in Turin"],
      ["From: Kate\nSubject: hi\n\nI moved to Kent", "The user moved to Kent"],
      ["Von: Uta\nBetreff: Neues\n\nIch wohne in Ulm", "Der Nutzer wohnt in Ulm"],
      ["-- Anna --\n--- Forwarded message ---\nI live in Ulm", "The user lives in Ulm"],
      ["[10:32] Anna: I live in Ulm\n[10:33] Ben: ah", "The user lives in Ulm", "I live in Ulm"],
      ["Q: Where?\nA: I live in Rome.\nIs A right?", "The user lives in Rome", "I live in Rome"],
    ],
  ],
])("%s is doubted (%s)", (_, doubt, cases) => {
  test.each<Told>(cases)("%s > %s", (message = "", fact = "", quote) => {
    const { grave, mild } = doubted(fact, quote ?? lastSentenceOf(message), message);
    expect([...grave, ...mild]).toContain(doubt);
  });
});

/** A text to work on is quoted by itself. */
function lastSentenceOf(message: string): string {
  return message.split(/[:：\n]\s*|(?<=this\.) /u).at(-1) ?? message;
}

test.each<Told>([
  ["My mother's maiden name is Kovacs", "The user's mother's maiden name is Kovacs"],
  ["My birthday is the same day as my sister's, 4 May", "The user's birthday is 4 May"],
  ["my email is jo@x.example, my wife's an@x.example", "The user's email is jo@x.example"],
  ["My company's name is Orbit Labs", "The name of the user's company is Orbit Labs"],
  ["We have a cat. Her name is Juno", "The user's cat's name is Juno", "Her name is Juno"],
  ["this year's target is 40", "This year's target is 40"],
  [
    "my parents' house is old, but our own flat is new",
    "The user's flat is new",
    "our own flat is new",
  ],
  ["I think my teacher likes me", "The user thinks that their teacher likes them"],
  ["as I said, I have a twin", "The user has a twin", "I have a twin"],
  ["I told Ann that I'm moving to Hull", "The user is moving to Hull"],
  ["My wife says our son is dyslexic", "The user's son is dyslexic"],
  ["Ann told me she has a boat", "Ann has a boat"],
  ["I nearly always cycle to work", "The user nearly always cycles to work"],
  ["I've been here for almost three years", "The user has been there for almost three years"],
  ["I stopped smoking in 2019", "The user stopped smoking in 2019"],
  ["I stopped smoking in 2019", "The user quit smoking in 2019"],
  ["I refuse to fly", "The user does not fly"],
  ["I can't stop buying plants", "The user buys plants", "buying plants"],
  ["There's no doubt I prefer tea", "The user prefers tea"],
  ["I nearly bought a boat", "The user nearly bought a boat"],
  ["No joke, I am a beekeeper", "The user is a beekeeper"],
  ["I'm a translator: German into English", "The user is a translator from German into English"],
  ["I correct exams for a living", "The user corrects exams for a living"],
  [
    "Can you help me write a CV? I worked at Shell for nine years",
    "The user worked at Shell for nine years",
    "I worked at Shell for nine years",
  ],
  ["Name: Ana\nCity: Porto", "The user lives in Porto", "City: Porto"],
  ["Two things:\n1. I live in Kiel\n2. I sail", "The user lives in Kiel", "I live in Kiel"],
  ["Update: I moved to Kiel", "The user moved to Kiel", "I moved to Kiel"],
  ["Context: I have cats\nQuestion: is tuna ok?", "The user has cats", "I have cats"],
  ["About me: I teach yoga in Delft", "The user teaches yoga in Delft", "I teach yoga in Delft"],
  ["Ich bin Übersetzerin: ich wohne in Jena", "Die Nutzerin wohnt in Jena", "ich wohne in Jena"],
])("and what only looks like it is in no grave doubt: %s", (message = "", fact = "", quote) => {
  expect(doubted(fact, quote ?? null, message).grave).toEqual([]);
});
