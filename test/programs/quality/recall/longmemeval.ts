import type { Conversation, CorpusFormat, Session } from "./corpus.ts";
import { dateIn, isObject, type JsonObject, listAt, objectAt, textAt } from "./json.ts";

/** `longmemeval_*.json`: each question has a history of its own. */
export const LONGMEMEVAL: CorpusFormat = {
  name: "LongMemEval",
  shape:
    'a list of {"question_id", "question_type", "question", "haystack_dates", "haystack_sessions": [[{"role", "content", "has_answer"}]]}',
  isOf: (json) => {
    const [first] = Array.isArray(json) ? json : [];
    return isObject(first) && Array.isArray(first.haystack_sessions);
  },
  read: (json, place) =>
    listAt(json, place).map((entry, i) =>
      readEntry(objectAt(entry, `${place}[${i}]`), `${place}[${i}]`),
    ),
};

function readEntry(entry: JsonObject, place: string): Conversation {
  const id = textAt(entry.question_id, `${place}.question_id`);
  const dates = listAt(entry.haystack_dates ?? [], `${place}.haystack_dates`);
  const evidence: string[] = [];
  const sessions = listAt(entry.haystack_sessions, `${place}.haystack_sessions`).map(
    (turns, s): Session => {
      const at = dates[s];
      return {
        id: `session-${s + 1}`,
        at: typeof at === "string" ? dateIn(at) : null,
        turns: listAt(turns, `${place}.haystack_sessions[${s}]`).map((turn, t) => {
          const where = `${place}.haystack_sessions[${s}][${t}]`;
          const { content, has_answer } = objectAt(turn, where);
          const turnId = `${s + 1}:${t + 1}`;
          if (has_answer === true) evidence.push(turnId);
          return { id: turnId, text: textAt(content, `${where}.content`) };
        }),
      };
    },
  );
  const question = {
    text: textAt(entry.question, `${place}.question`),
    type: textAt(entry.question_type, `${place}.question_type`),
    isAnswerable: !id.endsWith("_abs"),
    evidence,
  };
  return { id, sessions, questions: [question] };
}
