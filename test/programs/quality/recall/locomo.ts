import type { Conversation, CorpusFormat, Question, Session } from "./corpus.ts";
import { dateIn, isObject, type JsonObject, listAt, objectAt, textAt } from "./json.ts";

const TYPES = new Map([
  ["1", "multi-hop"],
  ["2", "temporal"],
  ["3", "open-domain"],
  ["4", "single-hop"],
  ["5", "adversarial"],
]);

/** `locomo10.json`: each turn is one text of one of two speakers, with the speaker's name. */
export const LOCOMO: CorpusFormat = {
  name: "LoCoMo",
  shape:
    'a list of {"conversation": {"session_1": [{"speaker", "dia_id", "text"}]}, "qa": [{"question", "evidence", "category"}]}',
  isOf: (json) => {
    const [first] = Array.isArray(json) ? json : [];
    return isObject(first) && isObject(first.conversation) && Array.isArray(first.qa);
  },
  read: (json, place) =>
    listAt(json, place).map((sample, i) =>
      readSample(objectAt(sample, `${place}[${i}]`), i, place),
    ),
};

function readSample(sample: JsonObject, index: number, file: string): Conversation {
  const place = `${file}[${index}]`;
  const conversation = objectAt(sample.conversation, `${place}.conversation`);
  const sessions = Object.keys(conversation)
    .filter((key) => /^session_\d+$/u.test(key))
    .map((key): Session => {
      const at = conversation[`${key}_date_time`];
      return {
        id: key,
        at: typeof at === "string" ? dateIn(at) : null,
        turns: listAt(conversation[key], `${place}.conversation.${key}`).map((turn, i) => {
          const where = `${place}.conversation.${key}[${i}]`;
          const { speaker, dia_id, text } = objectAt(turn, where);
          return {
            id: textAt(dia_id, `${where}.dia_id`),
            text: `${textAt(speaker, `${where}.speaker`)}: ${textAt(text, `${where}.text`)}`,
          };
        }),
      };
    });
  return {
    id: String(sample.sample_id ?? index),
    sessions,
    questions: listAt(sample.qa, `${place}.qa`).map((entry, i) =>
      readQuestion(objectAt(entry, `${place}.qa[${i}]`), `${place}.qa[${i}]`),
    ),
  };
}

function readQuestion({ question, category, evidence }: JsonObject, place: string): Question {
  const number = textAt(category, `${place}.category`);
  const marks = listAt(evidence ?? [], `${place}.evidence`).map(String);
  // Some are several in one text, or with a colon or zeros too many: "D8:6; D9:17", "D:11:26".
  const turns = marks.flatMap((mark) =>
    [...mark.matchAll(/D:?(\d+):(\d+)/gu)].map(([, d, turn]) => `D${Number(d)}:${Number(turn)}`),
  );
  return {
    text: textAt(question, `${place}.question`),
    type: TYPES.get(number) ?? `category ${number}`,
    isAnswerable: number !== "5",
    evidence: [...new Set(turns)],
  };
}
