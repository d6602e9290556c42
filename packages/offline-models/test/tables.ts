import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Reads the tables of labelled cases in a JSON file: by its name in the file, the rows of each. */
export function tablesIn(folder: string, file: string): <Row>(name: string) => readonly Row[] {
  const tables = JSON.parse(readFileSync(join(folder, file), "utf8"));
  return (name) => {
    if (!(name in tables)) throw new Error(`${file} has no table "${name}"`);
    return tables[name];
  };
}
