/** What a model calls taken back, and whether the message does take it back (D25a). */
import { describe, expect, test } from "vitest";
import { createChatExtractor } from "../../../src/providers/chat/extractor.ts";
import { readConversation } from "../../../src/providers/chat/grounding/evidence.ts";
import { retractionDoubt } from "../../../src/providers/chat/grounding/retraction-doubt.ts";
import { CALL } from "../../support/model-call.ts";
import { at } from "./doubted.ts";
import { linesOf, type Said, scriptChatModel } from "./scripted-chat-model.ts";

function doubtOf(said: string, taken: string) {
  const messages = [{ role: "user" as const, content: said }];
  const claim = { fact: taken, quote: said, messageIndex: 0 };
  return retractionDoubt(claim, readConversation({ messages, at }));
}

test.each([
  ["Forget that I live in Porto.", "The user lives in Porto"],
  ["Can you please forget that I play golf?", "The user plays golf"],
  ["I no longer work at Nokia.", "The user works at Nokia"],
  ["I don't play chess any more.", "The user plays chess"],
  ["Scratch that, I don't own a boat.", "The user owns a boat"],
  ["What I said about Nokia was wrong.", "The user works at Nokia"],
  ["Please delete what I said about my parrot.", "The user has a parrot named Kiwi"],
  ["I'm not vegan, I misspoke.", "The user is vegan"],
  ["Tennis? That's over.", "The user plays tennis"],
  ["Vergiss, dass ich in Kiel wohne.", "Der Nutzer wohnt in Kiel"],
  ["Ich wohne nicht mehr in Kiel.", "Der Nutzer wohnt in Kiel"],
  ["Oublie que j'habite à Lyon.", "L'utilisateur habite à Lyon"],
  ["Je n'habite plus à Lyon.", "L'utilisateur habite à Lyon"],
  ["Olvida que vivo en Lima.", "El usuario vive en Lima"],
  ["Dimentica che abito a Torino.", "L'utente abita a Torino"],
  ["Esquece que moro em Braga.", "O usuário mora em Braga"],
  ["Vergeet dat ik in Gent woon.", "De gebruiker woont in Gent"],
  ["Zapomnij, że mieszkam w Gdyni.", "Użytkownik mieszka w Gdyni"],
  ["大阪に住んでいることは忘れて。", "ユーザーは大阪に住んでいる"],
  ["忘掉我住在成都吧。", "用户住在成都"],
])("is in no doubt where it does: %s", (said, taken) => {
  expect(doubtOf(said, taken)).toMatchObject({ reason: null, isRefused: false });
});

describe("is in doubt", () => {
  test.each([
    ["where nothing is taken back", "negation", "I live in Porto."],
    ["where something else is denied", "negation", "I don't like Porto."],
    ["where something else is over", "negation", "I no longer own a car in Porto."],
    ["where something else is to be forgotten", "negation", "Forget it, I live in Porto!"],
    ["where the speaker forgets", "negation", "I always forget that I live in Porto."],
    ["where it is asked", "modality", "Is it true that I no longer live in Porto?"],
    ["where it is supposed", "modality", "If I no longer lived in Porto, I'd travel."],
    ["where it is possible", "modality", "I might not live in Porto next year."],
    ["where it is wished", "modality", "I hope I no longer live in Porto in May."],
    ["where others say it", "subject", "Ann says I no longer live in Porto."],
    ["where it is somebody else's", "subject", "My sister no longer lives in Porto."],
    ["in a text to work on", "instruction", "Translate: I no longer live in Porto."],
  ])("%s: %s", (_, reason, said) => {
    expect(doubtOf(said, "The user lives in Porto")).toMatchObject({ reason, isRefused: false });
  });

  test.each([
    ["Mein Bruder wohnt nicht mehr in Kiel.", "Der Nutzer wohnt in Kiel"],
    ["Wenn ich nicht mehr in Kiel wohne, schreibe ich dir.", "Der Nutzer wohnt in Kiel"],
    ["Ma sœur n'habite plus à Lyon.", "L'utilisateur habite à Lyon"],
    ["¿Ya no vivo en Lima?", "El usuario vive en Lima"],
    ["Vivo en Lima.", "El usuario vive en Lima"],
    ["Abito a Torino.", "L'utente abita a Torino"],
    ["Moro em Braga.", "O usuário mora em Braga"],
    ["Ik woon in Gent.", "De gebruiker woont in Gent"],
    ["Mieszkam w Gdyni.", "Użytkownik mieszka w Gdyni"],
    ["大阪に住んでいます。", "ユーザーは大阪に住んでいる"],
    ["我住在成都。", "用户住在成都"],
  ])("%s", (said, taken) => {
    expect(doubtOf(said, taken).reason).not.toBeNull();
  });
});

test.each([
  ["Remember that I work at Nokia.", "The user works at Nokia"],
  ["Don't forget that I live in Porto.", "The user lives in Porto"],
  ["Vergiss nicht, dass ich in Kiel wohne.", "Der Nutzer wohnt in Kiel"],
  ["N'oublie pas que j'habite à Lyon.", "L'utilisateur habite à Lyon"],
  ["No olvides que vivo en Lima.", "El usuario vive en Lima"],
  ["Non dimenticare che abito a Torino.", "L'utente abita a Torino"],
  ["Não te esqueças que moro em Braga.", "O usuário mora em Braga"],
  ["Vergeet niet dat ik in Gent woon.", "De gebruiker woont in Gent"],
  ["Nie zapomnij, że mieszkam w Gdyni.", "Użytkownik mieszka w Gdyni"],
  ["大阪に住んでいることを忘れないでください。", "ユーザーは大阪に住んでいる"],
  ["别忘了我住在成都。", "用户住在成都"],
])("a reminder is no retraction, and nobody is asked: %s", (said, taken) => {
  expect(doubtOf(said, taken)).toMatchObject({ reason: "negation", isRefused: true });
});

describe("a model is asked about a doubtful one, with the doubtful facts", () => {
  const TAKEN = "The user lives in Porto";
  async function extract(content: string, verdict: Said) {
    const { model, prompts } = scriptChatModel(({ schema }) =>
      "facts" in (schema as { properties: object }).properties
        ? { facts: [{ message: 0, quote: content, fact: TAKEN, kind: "retraction" }] }
        : verdict,
    );
    const conversation = { messages: [{ role: "user" as const, content }], at, categories: [] };
    return { ...(await createChatExtractor(model).extract(conversation, CALL)), prompts };
  }

  test("which keeps it where the model confirms it", async () => {
    const { retractions, prompts, rejected } = await extract("Porto was nice while it lasted", {
      stated: [1],
      not_stated: [],
    });
    expect(retractions).toMatchObject([{ text: TAKEN, messageIndex: 0 }]);
    expect(rejected).toEqual([]);
    expect(prompts.flatMap(linesOf).at(-1)).toMatchObject({ taken_back: TAKEN });
  });

  test.each<[string, Said]>([
    ["denies it", { stated: [], not_stated: [1] }],
    ["says nothing of it", { stated: [], not_stated: [] }],
    ["answers nonsense", "banana"],
  ])("and it ends nothing, and is told, where the model %s", async (_, verdict) => {
    const { retractions, rejected } = await extract("I live in Porto.", verdict);
    expect(retractions).toEqual([]);
    expect(rejected).toEqual([
      { fact: TAKEN, isRetraction: true, messageIndex: 0, reason: "negation" },
    ]);
  });

  test("but not about one that another message takes back", async () => {
    const said = ["I live in Porto.", "Forget that I live in Porto."];
    const facts = said.map((quote, message) => {
      return { message, quote, fact: TAKEN, kind: "retraction" };
    });
    const { model, prompts } = scriptChatModel({ facts });
    const messages = said.map((content) => ({ role: "user" as const, content }));
    const conversation = { messages, at, categories: [] };
    const { retractions } = await createChatExtractor(model).extract(conversation, CALL);
    expect(retractions).toMatchObject([{ text: TAKEN, messageIndex: 1 }]);
    expect(prompts).toHaveLength(1);
  });

  test("but not about a reminder", async () => {
    const { rejected, prompts } = await extract("Remember that I live in Porto.", { stated: [1] });
    expect(rejected).toEqual([
      { fact: TAKEN, isRetraction: true, messageIndex: 0, reason: "negation" },
    ]);
    expect(prompts).toHaveLength(1);
  });
});
