import type { Statement } from "./statement.ts";

/** How sure it is that one statement replaces another, 0 to 1, and why. */
export interface Change {
  readonly confidence: number;
  /** One sentence. */
  readonly reason: string;
}

// The default bar is 0.85 (2.6): what is clear or likely passes it, what is
// doubtful or merely possible does not.
export const CLEAR = 0.95;
export const LIKELY = 0.9;
export const SOMEWHAT_LIKELY = 0.87;
export const DOUBTFUL = 0.7;
export const UNLIKELY = 0.3;

export function change(
  confidence: number,
  next: Statement,
  previous: Statement,
  why: string,
): Change {
  return {
    confidence,
    reason: `"${shortened(next.value.text)}" against "${shortened(previous.value.text)}": the new fact ${why}.`,
  };
}

const MAX_QUOTED_CHARACTERS = 60;

function shortened(text: string): string {
  return text.length <= MAX_QUOTED_CHARACTERS ? text : `${text.slice(0, MAX_QUOTED_CHARACTERS)}…`;
}
