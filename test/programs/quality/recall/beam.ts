import type { Conversation, CorpusFormat, Question, Session } from "./corpus.ts";
import { dateIn, isObject, type JsonObject, listAt, objectAt, textAt } from "./json.ts";

/** Which batch and turn a user's message was made from: no part of what was said. */
const MADE_FROM = /\s*->->\s*[\d,\s]*$/u;

/**
 * The folder of one chat of BEAM: `chat.json`, whose batches are taken for sessions, and
 * `probing_questions/probing_questions.json`. It is read as `{chat, questions}`.
 */
export const BEAM: CorpusFormat = {
  name: "BEAM",
  shape:
    'folders with a chat.json of [{"batch_number", "turns": [[{"role", "id", "content"}]]}] and a probing_questions/probing_questions.json of {"ability": [{"question", "source_chat_ids"}]}',
  isOf: (json) => isObject(json) && Array.isArray(json.chat) && isObject(json.questions),
  read: (json, place) => [readChat(objectAt(json, place), place)],
};

function readChat({ chat, questions }: JsonObject, place: string): Conversation {
  const sessions = batchesOf(chat, `${place}/chat.json`).map((batch, b): Session => {
    const where = `${place}/chat.json[${b}].turns`;
    const messages = listAt(batch.turns, where)
      .flatMap((turn, t) => [...listAt(turn, `${where}[${t}]`)])
      .map((message) => objectAt(message, `${where}: a message`));
    const anchor =
      messages.map(({ time_anchor }) => time_anchor).find(isFilled) ?? batch.time_anchor;
    return {
      id: `batch-${b + 1}`,
      at: isFilled(anchor) ? dateIn(anchor) : null,
      turns: messages.map(({ id, content }) => ({
        id: textAt(id, `${where}: id`),
        text: textAt(content, `${where}: content`).replace(MADE_FROM, ""),
      })),
    };
  });
  return {
    id: place,
    sessions,
    questions: Object.entries(objectAt(questions, `${place}: the questions`)).flatMap(
      ([ability, asked]) =>
        listAt(asked, `${place}: ${ability}`).map((entry, i) =>
          readQuestion(objectAt(entry, `${place}: ${ability}[${i}]`), ability, place),
        ),
    ),
  };
}

/** In the longest chats the batches are grouped: `[{"plan-1": [batch]}]`. */
function batchesOf(chat: unknown, place: string): JsonObject[] {
  return listAt(chat, place).flatMap((entry, i) => {
    const batch = objectAt(entry, `${place}[${i}]`);
    const plan = Object.keys(batch).find((key) => /^plan-\d+$/u.test(key));
    return plan === undefined ? [batch] : batchesOf(batch[plan], `${place}[${i}].${plan}`);
  });
}

function readQuestion(entry: JsonObject, ability: string, place: string): Question {
  return {
    text: textAt(entry.question, `${place}: a question of ${ability}`),
    type: ability.replaceAll("_", " "),
    isAnswerable: ability !== "abstention",
    evidence: [...new Set(idsIn(entry.source_chat_ids))],
  };
}

/** A list of IDs, or an object of lists of them. */
function idsIn(value: unknown): string[] {
  if (typeof value === "number" || typeof value === "string") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(idsIn);
  return isObject(value) ? Object.values(value).flatMap(idsIn) : [];
}

function isFilled(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
