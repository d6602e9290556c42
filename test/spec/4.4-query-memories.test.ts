import { answers } from "./4.4/answers.ts";
import { refusedQuestions } from "./4.4/refused-questions.ts";
import { retrieval } from "./4.4/retrieval.ts";
import { useSpec } from "./spec.ts";

const spec = useSpec();

answers(spec);
retrieval(spec);
refusedQuestions(spec);
