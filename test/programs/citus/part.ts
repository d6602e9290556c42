/** What one part of `npm run citus` found. */
export interface Part {
  readonly name: string;
  /** Paragraphs and tables of the page. */
  readonly text: readonly string[];
  /** What did not hold, as sentences. */
  readonly problems: readonly string[];
}
