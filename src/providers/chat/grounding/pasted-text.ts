/** So far back the lines of a text are looked at. */
const MAX_CHARACTERS = 8_192;
const QUOTED = /^\s*>/u;
const FENCE = /^\s*(?:```|~~~)/u;
/** "---------- Forwarded message ---------" */
const RULE = /^\s*-{3,20} ?\p{L}[^-]{0,80}-{3,20}\s*$/u;
/** "From: ada@example.com", "Anna: …", "[10:32] Anna B.: …" */
const LABELLED =
  /^\s*(?:\[[^\]]{1,30}\]\s*|\d{1,2}[:.]\d\d(?:[:.]\d\d)?\s*[-–]?\s*)?[\p{Lu}\p{Lo}][\p{L}\p{N}.'’_ -]{0,40}[:：]\s*\S/u;
/** One line with a label is a heading. */
const MIN_LABELLED = 2;

/**
 * Whether the line of a text at a place looks like one from elsewhere: quoted, in a fence,
 * behind the header of a mail, or of a conversation with a name before each line.
 */
export function isPasted(text: string, place: number): boolean {
  const start = Math.max(0, place - MAX_CHARACTERS);
  const end = text.indexOf("\n", place);
  const lines = text.slice(start, end < 0 ? start + 2 * MAX_CHARACTERS : end).split("\n");
  const own = lines.pop() ?? "";
  if (QUOTED.test(own)) return true;
  if (lines.filter((line) => FENCE.test(line)).length % 2 === 1) return true;
  if (lines.some((line) => RULE.test(line))) return true;
  const labelled = lines.filter((line) => LABELLED.test(line));
  const isMail = labelled.length >= MIN_LABELLED && labelled.some((line) => line.includes("@"));
  return isMail || (LABELLED.test(own) && labelled.length + 1 >= MIN_LABELLED);
}
