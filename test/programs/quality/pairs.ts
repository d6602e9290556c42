/** An older fact and a newer one. */
export interface LabelledPair {
  readonly older: string;
  readonly newer: string;
  /** Whether the newer replaces the older; of excluded pairs: what the classifier must never be asked. */
  readonly supersedes: boolean;
  /** The category that keeps it from the classifier (D24); null: none. */
  readonly excludedCategory: "health_medical" | "legal_status" | null;
}
