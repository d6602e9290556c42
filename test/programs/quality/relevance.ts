/** A question with the memories of one tenant: which answer it, and which are about something else. */
export interface LabelledRelevance {
  readonly question: string;
  /** Oldest first: facts as they are stored, and turns of chats as they were written. */
  readonly memories: readonly string[];
  /** Positions in `memories`, from 0, of those that answer the question; empty: none does. */
  readonly answers: readonly number[];
  /**
   * Positions of those that have nothing to do with the question. One that is in neither
   * list touches its subject and does not answer it.
   */
  readonly unrelated: readonly number[];
}

/** Some dozens of beliefs of one tenant, with questions that they answer and as many that none does. */
export interface LabelledTenant {
  /** Oldest first, as they are stored. */
  readonly memories: readonly string[];
  readonly questions: readonly {
    readonly question: string;
    /** Positions in `memories`, from 0; empty: none answers it. */
    readonly answers: readonly number[];
  }[];
}
