import {
  type AnyMessage,
  asMessage,
  createJsonWriterCompiler,
  fieldGetter,
  isFlat,
  jsonNameOf,
} from "@agent-memory/transcoding/json";
import { type DescField, type DescMessage, isMessage, type Message } from "@bufbuild/protobuf";

/**
 * UTF-8 bytes of an answer in JSON, from which the ends of its lists are left out: more than
 * a model reads, and so few that they are written and read again in some milliseconds. One
 * memory always fits, whatever stands in it.
 */
export const MAX_ANSWER_BYTES = 1024 * 1024;

export interface BoundedAnswer {
  /** As REST writes it, but for what is left out. */
  readonly json: string;
  readonly cuts: readonly Cut[];
}

/** A list whose end is left out. */
export interface Cut {
  /** Its name in the JSON. */
  readonly list: string;
  readonly kept: number;
  readonly of: number;
}

const writers = createJsonWriterCompiler();

/**
 * Writes the answer of an RPC, with as much of its lists as fits, the first of them first.
 * Takes the message over: what is left out is gone from it.
 */
export function writeBounded(
  desc: DescMessage,
  answer: Message,
  maxBytes = MAX_ANSWER_BYTES,
): BoundedAnswer {
  const write = writers.message(desc);
  const message = asMessage(answer);
  const lists = listsOf(desc, message).map((list) => {
    const elements = list.elements;
    list.keep([]);
    return { ...list, elements };
  });
  let left = maxBytes - Buffer.byteLength(write(message));
  const cuts: Cut[] = [];
  for (const { name, elements, keep, writeElement } of lists) {
    let kept = 0;
    for (const element of elements) {
      // With the comma behind it.
      const bytes = Buffer.byteLength(writeElement(element)) + 1;
      if (bytes > left) break;
      left -= bytes;
      kept++;
    }
    keep(elements.slice(0, kept));
    if (kept < elements.length) cuts.push({ list: name, kept, of: elements.length });
  }
  return { json: write(message), cuts };
}

interface List {
  readonly name: string;
  readonly elements: readonly unknown[];
  /** Makes the message hold these instead. */
  keep(elements: readonly unknown[]): void;
  writeElement(element: unknown): string;
}

/** The lists that stand in the JSON of a message itself. */
function listsOf({ fields }: DescMessage, message: AnyMessage): List[] {
  return fields.flatMap((field) => {
    if (field.fieldKind === "list") return [listOf(field, message)];
    const value = fieldGetter(field)(message);
    const isInside = field.fieldKind === "message" && isFlat(field) && isMessage(value);
    return isInside ? listsOf(field.message, asMessage(value)) : [];
  });
}

function listOf(field: DescField & { fieldKind: "list" }, message: AnyMessage): List {
  const { localName } = field;
  const held = message[localName];
  return {
    name: jsonNameOf(field),
    elements: Array.isArray(held) ? held : [],
    keep: (elements) => Object.assign(message, { [localName]: elements }),
    writeElement:
      field.listKind === "message"
        ? writers.message(field.message)
        : (text) => JSON.stringify(text),
  };
}
