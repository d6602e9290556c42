import { join } from "node:path";

/** The folder of the project. */
export const PROJECT_ROOT = join(import.meta.dirname, "../..");
