/**
 * What is known of a language about how its sentences are meant: patterns of folded words.
 * Alternatives stand apart by " | " or on lines of their own. What is left out the language
 * has not, or says by its grammar.
 */
export interface Lexicon {
  /** Words of almost any text, to tell the language by. */
  readonly common: string;

  // What turns the meaning of a clause.

  readonly negation: string;
  /** What has a word of negation and denies nothing. */
  readonly affirming: string;
  /** What says "not" in one word: "quit", "dislike". */
  readonly reversal: string;
  /** What says of what follows that it is not so, or was not done: "failed to", "doubt that". */
  readonly undone: string;
  /** What is only wanted, planned or tried, or is to come. */
  readonly wish: string;
  /** What is over. */
  readonly past: string;
  /** What depends on something, or is not certain. */
  readonly condition: string;
  /** How questions and requests begin. */
  readonly asking: string;
  /** What is said in jest, made up, or means the opposite. */
  readonly jest: string;
  /** What may be said so, or is put too strongly. */
  readonly lightly?: string;
  /** What is told of those whom somebody made up. */
  readonly fiction: string;
  /** How people take back what they have just said. */
  readonly correction: string;
  /** How people ask to forget something, call it wrong, or say that it is over (D25a). */
  readonly takesBack: string;
  /** How people begin who want something else than was asked. */
  readonly preference: string;

  // Of whom it is told.

  /** The speaker, as a subject or not. */
  readonly first: string;
  /** The speaker as a subject alone. */
  readonly speaker: string;
  /** Someone else as a subject. */
  readonly other: string;
  /** The speaker's: "my". */
  readonly mine: string;
  /** Someone else's: "her". */
  readonly theirs: string;
  /** The speaker among others, or someone of theirs. */
  readonly company: string;
  /** "The user". */
  readonly user: string;
  /** How is told what someone says or thinks. */
  readonly report: string;

  // What is said to a model.

  /** How people lead to what is to be remembered: "don't forget that". */
  readonly reminder: string;
  /** How people ask to work on a text. */
  readonly edit: string;
  /** How they point at that text: "the following". */
  readonly following: string;
  /** What makes an order hold for the rest of a conversation. */
  readonly fromNowOn: string;
  /** What may lead an order. */
  readonly request?: string;
  readonly courtesy?: string;

  // A mere answer.

  readonly yes: string;
  readonly no: string;
  /** What may stand beside a "yes" or "no" that says nothing else. */
  readonly filler: string;

  // Small words.

  /** What may stand before the first word of a clause that counts. */
  readonly lead?: string;
  /** What begins another thought: "but". */
  readonly contrast?: string;
  readonly article?: string;
  /** What links a thing to whom it belongs to. */
  readonly of?: string;
  /** What leads to the content of what is said or thought: "that". */
  readonly that?: string;
  /** What leaves a meaning when those who take part change places: the passive, and lists. */
  readonly turns?: string;

  // How something is so.

  /** What has forms of the past, in a fact. */
  readonly pastForm: string;
  readonly attitude: string;
  readonly whenever: string;
  readonly always: string;
  readonly sometimes: string;

  // Times.

  readonly morning: string;
  readonly afternoon: string;
  readonly half?: string;
  readonly quarter?: string;
  /** Days of which only a calendar knows when they are. */
  readonly feast: string;
  /** What tells a week or a day in a roundabout way: "Saturday week". */
  readonly roundabout: string;
}

/** The alternatives of an entry of a lexicon as one pattern. */
export function alternation(entry: string): string {
  return entry
    .split(/ \| |\n/u)
    .map((alternative) => alternative.trim())
    .filter((alternative) => alternative !== "")
    .join("|");
}
