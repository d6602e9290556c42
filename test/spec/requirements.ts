import { readFileSync } from "node:fs";

const PAGE = new URL("./REQUIREMENTS.md", import.meta.url);
/** `- **D13a** What the rule asks.` */
const RULE = /^- \*\*([^*]+)\*\* (\S.*\.)$/;
const HEADING = /^#{2,3} \S/;

/**
 * The rules of `REQUIREMENTS.md`: what each asks, by ID. Throws for a line behind
 * the first section that is neither a heading, a rule nor plain text, and for an ID
 * that stands twice.
 */
export function readRequirements(): ReadonlyMap<string, string> {
  const rules = new Map<string, string>();
  const lines = readFileSync(PAGE, "utf8").split("\n");
  for (const line of lines.slice(lines.findIndex((each) => HEADING.test(each)))) {
    const [, id, sentence] = RULE.exec(line) ?? [];
    if (id !== undefined && sentence !== undefined) {
      if (rules.has(id)) throw new Error(`REQUIREMENTS.md has ${id} twice`);
      rules.set(id, sentence);
    } else if (line !== "" && !HEADING.test(line) && !/^\w/.test(line)) {
      throw new Error(`REQUIREMENTS.md has a line that is no rule: ${line}`);
    }
  }
  return rules;
}
