import { fold } from "@agent-memory/text";
import type { Clause } from "./clauses.ts";
import { hasMarker, type Language } from "./languages.ts";
import { THE_USER } from "./names.ts";

const QUOTED = /^\s*>/u;
const FENCE = /^\s*(?:```|~~~)/u;
/** "---------- Forwarded message ---------" */
const RULE = /^\s*-{3,20} ?\p{L}[^-]{0,80}-{3,20}\s*$/u;
/** Of mails, as programs copy them. */
const HEADER =
  /^\s*(?:from|sent|date|to|cc|subject|von|gesendet|datum|an|betreff|de|envoye|a|objet|enviado|fecha|para|asunto|da|inviato|data|oggetto|assunto|van|verzonden|aan|onderwerp|od|wyslano|do|temat|差出人|送信日時|宛先|件名|发件人|发送时间|收件人|主题)\s*[:：]\s*\S/u;
/** So many header lines are those of a mail. */
const MIN_HEADERS = 2;
/** "Anna: …", "[10:32] Anna B.: …", "Person A: …" */
const LABEL =
  /^\s*(?:\[[^\]]{1,30}\]\s*|\d{1,2}[:.]\d\d(?:[:.]\d\d)?\s*[-–]?\s*)?([\p{Lu}\p{Lo}][\p{L}\p{N}.'’_-]{0,20}(?: [\p{Lu}\p{Lo}\p{N}][\p{L}\p{N}.'’_-]{0,20}){0,2})\s*[:：]\s*\S/u;
/** One line with a label is a heading. */
const MIN_LABELS = 2;
const SPEAKER = /^(?:me|myself|human|ich|moi|yo|io|eu|ik|ja|私|僕|我)$/u;

/** The clause of a pasted text, counted from 0. */
export interface PastedClause {
  readonly place: number;
  /** Whose words they are said to be; null: nothing tells. */
  readonly by: string | null;
}

/**
 * The clauses of a message that look like a text from elsewhere, by their lines: quoted, in
 * a fence, of a mail with its header, or of a conversation of others who say "I".
 */
export function pastedClausesIn(
  content: string,
  clauses: readonly Clause[],
  language: Language,
): PastedClause[] {
  if (!content.includes("\n")) return [];
  const lines = content.split("\n");
  const labels = lines.map((line) => LABEL.exec(line)?.[1] ?? null);
  const isTalk = labels.filter((label) => label !== null).length >= MIN_LABELS;
  const mailFrom = startOfMail(lines);
  const pasted: PastedClause[] = [];
  let isFenced = false;
  let place = 0;
  for (const [i, line] of lines.entries()) {
    if (FENCE.test(line)) isFenced = !isFenced;
    const isElsewhere = isFenced || QUOTED.test(line) || i >= mailFrom;
    const label = isTalk ? (labels[i] ?? null) : null;
    // No clause reaches into the next line.
    for (let rest = line; place < clauses.length; place++) {
      const { text, folded } = clauses[place] as Clause;
      const start = rest.indexOf(text);
      if (start < 0) break;
      rest = rest.slice(start + text.length);
      const isSpoken = label !== null && !isUsers(label) && hasMarker(folded, language, "first");
      if (isElsewhere) pasted.push({ place, by: null });
      else if (isSpoken) pasted.push({ place, by: label });
    }
  }
  return pasted;
}

/** The line behind which a mail stands; infinite: there is none. */
function startOfMail(lines: readonly string[]): number {
  const rule = lines.findIndex((line) => RULE.test(line));
  if (rule >= 0) return rule + 1;
  const headers = lines.flatMap((line, i) => (HEADER.test(fold(line)) ? i : []));
  const first = headers[0] ?? Number.POSITIVE_INFINITY;
  return headers.length >= MIN_HEADERS ? first + 1 : Number.POSITIVE_INFINITY;
}

function isUsers(label: string): boolean {
  const folded = fold(label);
  return THE_USER.has(folded) || SPEAKER.test(folded);
}
