import { describeFailures } from "./failures.ts";

describeFailures("gemini");
