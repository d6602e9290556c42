/** `act`: the classifier's decisions are done. `shadow`: they are only recorded. */
export type AutoSupersedeMode = "act" | "shadow";

/** What automatic supersession may do for one API key (1.6, 2.6), and what its account keeps. */
export interface Settings {
  readonly autoSupersedeDefault: boolean;
  readonly excludedCategories: readonly string[];
  /** 0 to 1. */
  readonly minConfidence: number;
  readonly classifierModel: string;
  readonly autoSupersedeMode: AutoSupersedeMode;
  /** Whether the log of calls keeps its questions and their answers. */
  readonly logQuestions: boolean;
}

export const DEFAULT_CLASSIFIER_MODEL = "gemini-2.5-flash";

export const DEFAULT_SETTINGS: Settings = {
  autoSupersedeDefault: false,
  excludedCategories: ["health_medical", "legal_status"],
  minConfidence: 0.85,
  classifierModel: DEFAULT_CLASSIFIER_MODEL,
  autoSupersedeMode: "act",
  logQuestions: false,
};
