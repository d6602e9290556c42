/** What begins a citation marker, whatever stands between its bracket and its word. */
const MARKER_START = /\[(?=[^\p{L}\p{N}[\]]*mem)/giu;

/**
 * What begins a control token of a chat template: servers that run a model
 * themselves may read `<|im_start|>` or `[INST]` in a text as the end of a turn.
 */
const CONTROL_TOKEN_START = /<|\[(?=\/?[A-Z_]+\])/gu;
const LINE_SEPARATORS = /[\u0085\u2028\u2029]/gu;

/**
 * Data for a prompt, each entry on a line of JSON. A text in it can end neither
 * its string nor its line, so that no text poses as another entry or as ours, and
 * it can't hold a citation marker of its own.
 */
export function dataLines(entries: readonly Readonly<Record<string, string | number>>[]): string {
  return entries.map(dataLine).join("\n");
}

/** A text of at most so many characters; where it was longer it ends with "…". */
export function shortened(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1)}…`;
}

function dataLine(entry: Readonly<Record<string, string | number>>): string {
  return JSON.stringify(entry, (_, value) => (typeof value === "string" ? neutral(value) : value))
    .replace(CONTROL_TOKEN_START, escaped)
    .replace(LINE_SEPARATORS, escaped);
}

function neutral(text: string): string {
  return text.replace(MARKER_START, "(");
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
