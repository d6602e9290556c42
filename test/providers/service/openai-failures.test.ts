import { describeFailures } from "./failures.ts";

describeFailures("openai");
