/**
 * One fact, and what a user tells later, each as it is stored as content and as it is said in
 * a conversation: the same change in three ways.
 */
export interface EverydayChange {
  /** A fact as it is stored. */
  readonly stored: string;
  /** The same fact in the user's words; null: it is only given as a fact. */
  readonly told: string | null;
  /** What is told later, as a fact. */
  readonly fact: string;
  /** The same in the user's words. */
  readonly said: string;
  /** Whether what is told later makes the first fact untrue. */
  readonly ends: boolean;
}

/**
 * Reads a table: in each line the fact as it is stored, as it is told ("-": not at all), then
 * what comes later as a fact and as it is said.
 */
export function everydayChanges(table: string, ends: boolean): EverydayChange[] {
  return table
    .trim()
    .split("\n")
    .map((line) => {
      const [stored, told, fact, said, ...more] = line.split(" | ");
      if (stored === undefined || told === undefined || fact === undefined || said === undefined)
        throw new Error(`Not four texts: ${line}`);
      if (more.length > 0) throw new Error(`More than four texts: ${line}`);
      return { stored, told: told === "-" ? null : told, fact, said, ends };
    });
}
