import { asMessage, createJsonWriterCompiler } from "@agent-memory/transcoding/json";
import type { Message } from "@bufbuild/protobuf";
import type { Shape, Tool } from "./tools.ts";

/** UTF-8 bytes of an answer: more than a model reads. */
export const MAX_ANSWER_BYTES = 1024 * 1024;
/** A longer element is the last one that is written in a turn of the event loop. */
const MAX_BYTES_TOGETHER = 16 * 1024;

type Json = Readonly<Record<string, unknown>>;

const writers = createJsonWriterCompiler();

/**
 * The answer of a tool, from that of its RPC. Of a list that makes it too long the end is left
 * out, and `notice` says so. That end is not even written: it may be many times as long.
 */
export async function answerOf({ rpc, answer, whenCut }: Tool, message: Message): Promise<Json> {
  const paths = Object.values(answer).map((part) => (typeof part === "string" ? part : part.list));
  // Lists whose elements are written one by one. What a path leads through is written whole.
  const lists = rpc.output.fields.filter(
    ({ fieldKind, message, name }) =>
      fieldKind === "list" && message && !paths.some((path) => path.startsWith(`${name}.`)),
  );
  const empty = Object.fromEntries(lists.map(({ localName }) => [localName, []]));
  const whole: Json = JSON.parse(writers.message(rpc.output)({ ...asMessage(message), ...empty }));
  const shown: Record<string, unknown> = shapedAs(answer, whole);
  let left = MAX_ANSWER_BYTES - bytesOf(shown);
  const cuts: string[] = [];
  for (const [name, part] of Object.entries(answer)) {
    if (typeof part === "string") continue;
    const field = lists.find((each) => each.name === part.list);
    const write = field?.message && writers.message(field.message);
    const found = valueAt(field ? message : whole, field?.localName ?? part.list);
    const elements = [found ?? []].flat();
    const fitting: unknown[] = [];
    for (const each of elements) {
      const value = write ? JSON.parse(write(each)) : each;
      const element = part.each === null ? value : shapedAs(part.each, value);
      const bytes = bytesOf(element) + 1;
      left -= bytes;
      if (left < 0) break;
      fitting.push(element);
      if (bytes > MAX_BYTES_TOGETHER) await new Promise((resolve) => setTimeout(resolve));
    }
    shown[name] = fitting;
    if (fitting.length === elements.length) continue;
    cuts.push(`\`${name}\` has the first ${fitting.length} of ${elements.length}`);
  }
  if (cuts.length === 0) return shown;
  const why = `an answer is at most ${MAX_ANSWER_BYTES} bytes long`;
  // The next page begins behind what was left out.
  const { next_page_token: _, ...beginning } = shown;
  return { notice: `${cuts.join(", ")}: ${why}. ${whenCut}`, ...beginning };
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Without what is null or an empty text. Lists are there, and empty yet. */
function shapedAs(shape: Shape, value: unknown): Json {
  const entries = Object.entries(shape).flatMap(([name, part]): [string, unknown][] => {
    if (typeof part === "object") return [[name, []]];
    const found = valueAt(value, part);
    return found === undefined || found === null || found === "" ? [] : [[name, found]];
  });
  return Object.fromEntries(entries);
}

function valueAt(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>(memberOf, value);
}

function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.flatMap((one) => memberOf(one, name) ?? []);
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
