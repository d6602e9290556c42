import { createJsonWriterCompiler } from "@agent-memory/transcoding/json";
import type { Message } from "@bufbuild/protobuf";
import type { Shape, Tool } from "./tools.ts";

/** UTF-8 bytes of an answer: more than a model reads, and written in some milliseconds. */
export const MAX_ANSWER_BYTES = 1024 * 1024;

type Json = Readonly<Record<string, unknown>>;

const writers = createJsonWriterCompiler();

/**
 * The answer of a tool, from that of its RPC. Of a list that makes it too long the end is left
 * out, and `notice` says so.
 */
export function answerOf(tool: Tool, message: Message): Json {
  const whole: Json = JSON.parse(writers.message(tool.rpc.output)(message));
  const shown = shapedAs(tool.answer, whole);
  const lists = Object.entries(shown).filter((entry): entry is [string, unknown[]] =>
    Array.isArray(entry[1]),
  );
  const others = shapedAs(tool.answer, {});
  let left = MAX_ANSWER_BYTES - bytesOf({ ...shown, ...others });
  const cuts = lists.flatMap(([name, elements]) => {
    const tooLong = elements.findIndex((element) => {
      left -= bytesOf(element) + 1;
      return left < 0;
    });
    if (tooLong < 0) return [];
    const of = elements.length;
    elements.splice(tooLong);
    return [`\`${name}\` has the first ${tooLong} of ${of}`];
  });
  if (cuts.length === 0) return shown;
  const why = `an answer is at most ${MAX_ANSWER_BYTES} bytes long`;
  return { notice: `${cuts.join(", ")}: ${why}. ${tool.whenCut}`, ...shown };
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Without what is null or an empty text; a list is there, whatever it has. */
function shapedAs(shape: Shape, value: unknown): Json {
  const entries = Object.entries(shape).flatMap(([name, part]): [string, unknown][] => {
    if (typeof part === "object") {
      const { list, each } = part;
      const elements = [valueAt(value, list) ?? []].flat();
      return [[name, each === null ? elements : elements.map((one) => shapedAs(each, one))]];
    }
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
