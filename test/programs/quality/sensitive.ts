/** A fact, and the category that holds it back from the classifier (D24). */
export interface LabelledSensitive {
  readonly text: string;
  /** The topic that it is stored under; absent: one that says nothing of what it holds. */
  readonly topic?: string;
  /** null: a harmless one, near as its words may come. */
  readonly category: "health_medical" | "legal_status" | null;
  readonly language: Language;
  /** Who wrote it; absent: whoever wrote the first sets. */
  readonly author?: string;
  /** When it was written. */
  readonly date?: string;
}

/** ISO 639-1: the languages that D24 names. */
export type Language = "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh";
