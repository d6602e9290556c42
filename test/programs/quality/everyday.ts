/**
 * One fact, and what a user tells later, each as it is stored as content and as it is said in
 * a conversation: the same change in three ways.
 */
export interface EverydayChange {
  /** A fact as it is stored. */
  readonly stored: string;
  /** The same fact in the user's words, or a talk of lines with roles; null: it is only given as a fact. */
  readonly told: string | null;
  /** What is told later, as a fact. */
  readonly fact: string;
  /** The same in the user's words, or a talk. */
  readonly said: string;
  /** What it is an example of: an update, a change in other words, a near miss, another identifier. */
  readonly kind?: string;
  /** Whether what is told later makes the first fact untrue. */
  readonly ends: boolean;
}
