/** What a model states about a conversation, and whether the conversation states it. */
export interface LabelledBelief {
  /** The time of the conversation, RFC 3339: what relative dates are resolved against. */
  readonly at: string;
  /** "role: text", or "role [name]: text" of one of several speakers, oldest first. */
  readonly messages: readonly string[];
  readonly stated: StatedFact;
  /** Whether a careful reader finds all of the fact in what the user says. */
  readonly isStated: boolean;
  readonly kind: StatedKind | UnstatedKind;
}

/** A fact as a model states it, with the words that it names as its ground. */
export interface StatedFact {
  readonly fact: string;
  /** An exact copy of words of the named message, but for the kind "quote not there". */
  readonly quote: string;
  /** The position of a user's message, from 0. */
  readonly message: number;
}

/** What makes a fact that is stated hard to find in the words of the conversation. */
export type StatedKind =
  | "abbreviation"
  | "amount"
  /** Beside questions, conditions or wishes, in a clause of its own. */
  | "clause"
  /** "Yes" or "no" to a question of the assistant's. */
  | "confirmation"
  /** The user puts right what they or the assistant said. */
  | "correction"
  /** Relative, or written in another way. */
  | "date"
  /** With words that deny, by which it is affirmed. */
  | "idiom"
  | "negation"
  | "number"
  /** In the language of the message, which is not English. */
  | "own language"
  | "paraphrase"
  | "plan"
  | "pronoun"
  /** A name that was given many messages earlier. */
  | "recall"
  /** By one of several users with names. */
  | "speaker"
  | "spelling"
  /** Of someone whom the user tells of. */
  | "third person"
  /** In English, of a message in another language. */
  | "translation"
  | "unit"
  | "used to"
  | "wish";

/** What is wrong with a fact that is not stated. */
export type UnstatedKind =
  | "assistant's words"
  | "condition as fact"
  | "exaggeration"
  | "facts mixed"
  /** Or refused, or nearly done. */
  | "failed as done"
  /** Said of the user by others, whom the user does not confirm. */
  | "hearsay as fact"
  | "instruction as fact"
  | "invented detail"
  /** Or mockery. */
  | "joke as fact"
  | "negation invented"
  | "negation lost"
  | "no taken as yes"
  | "past as present"
  | "plan as done"
  | "question as fact"
  | "quote not there"
  | "refused as accepted"
  /** Who did it and to whom it was done. */
  | "roles swapped"
  | "someone else's"
  | "wish as fact"
  | "wrong date"
  | "wrong number"
  | "wrong person"
  | "wrong unit"
  | "yes to another question";
