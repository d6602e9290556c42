import { contradictions } from "./4.8/contradictions.ts";
import { ends } from "./4.8/ends.ts";
import { supersessionErrors } from "./4.8/errors.ts";
import { races } from "./4.8/races.ts";
import { useSpec } from "./spec.ts";

const spec = useSpec();

ends(spec);
contradictions(spec);
supersessionErrors(spec);
races(spec);
