import { listFilters } from "./4.2/filters.ts";
import { listPages } from "./4.2/pages.ts";
import { refusedParameters } from "./4.2/refused-parameters.ts";
import { timestamps } from "./4.2/timestamps.ts";
import { useSpec } from "./spec.ts";

const spec = useSpec();

listFilters(spec);
listPages(spec);
timestamps(spec);
refusedParameters(spec);
