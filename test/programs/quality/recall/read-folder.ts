import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { BEAM } from "./beam.ts";
import { type Conversation, type Corpus, type CorpusFormat, UnreadableCorpus } from "./corpus.ts";
import { LOCOMO } from "./locomo.ts";
import { LONGMEMEVAL } from "./longmemeval.ts";

const FORMATS: readonly CorpusFormat[] = [LOCOMO, LONGMEMEVAL, BEAM];
/** More is no folder of a corpus, but somebody's home. */
const MAX_FOLDERS = 1_000;
/** What V8 can hold as one text. */
const MAX_FILE_BYTES = 512 * 1024 * 1024 - 1;

export interface ReadFolder {
  readonly corpora: readonly Corpus[];
  /** Files of JSON that are of no corpus: lists of topics and the like beside one. */
  readonly passedOver: readonly string[];
}

/** The corpora in a folder, each format as one, recognised by their shape. */
export function readCorpora(folder: string): ReadFolder {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UnreadableCorpus(`${folder} is not a folder`);
  }
  const found = new Map<string, Conversation[]>();
  const passedOver: string[] = [];
  const folders = [folder];
  for (const current of folders) {
    if (folders.length > MAX_FOLDERS) {
      throw new UnreadableCorpus(`${folder} has more than ${MAX_FOLDERS} folders`);
    }
    for (const { json, place } of filesOf(current, folder, folders)) {
      const format = FORMATS.find(({ isOf }) => isOf(json));
      if (format === undefined) passedOver.push(place);
      else found.set(format.name, [...(found.get(format.name) ?? []), ...format.read(json, place)]);
    }
  }
  if (found.size === 0) {
    const [other] = passedOver;
    const what = other === undefined ? `${folder} has no corpus` : `${other} is no corpus`;
    throw new UnreadableCorpus(`${what}. ${expected()}`);
  }
  const corpora = [...found]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, conversations]) => ({ name, conversations }));
  return { corpora, passedOver };
}

/** Of one folder; the folders in it are added to those to read, but for those of a chat. */
function filesOf(
  folder: string,
  root: string,
  folders: string[],
): { json: unknown; place: string }[] {
  const questions = join(folder, "probing_questions", "probing_questions.json");
  const chat = join(folder, "chat.json");
  if (existsSync(chat) && existsSync(questions)) {
    const json = { chat: readJson(chat), questions: readJson(questions) };
    return [{ json, place: relative(root, folder) || "the chat" }];
  }
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  const inner = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
  folders.push(...inner.map(({ name }) => join(folder, name)));
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map(({ name }) => ({ json: readJson(join(folder, name)), place: name }));
}

function readJson(file: string): unknown {
  if (statSync(file).size > MAX_FILE_BYTES) {
    throw new UnreadableCorpus(`${file} has more than ${MAX_FILE_BYTES} bytes: split it`);
  }
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UnreadableCorpus(`${file} is not JSON: ${String(error)}`);
  }
}

function expected(): string {
  const shapes = FORMATS.map(({ name, shape }) => `  ${name}: ${shape}`);
  return `These are read:\n${shapes.join("\n")}`;
}
