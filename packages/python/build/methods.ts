import { rules } from "@agent-memory/gen/transcoding/v1/options_pb";
import {
  type DescField,
  type DescFile,
  type DescMessage,
  type DescMethod,
  getOption,
  ScalarType,
} from "@bufbuild/protobuf";
import { getComments } from "@bufbuild/protoplugin";
import { isIdempotent, KEYED_METHODS } from "agent-memory/internal";
import { moduleOf } from "./descriptors.ts";

/** An import takes what an export answers: the two have the same form. */
const ALSO_TAKEN: Readonly<Record<string, string>> = {
  ImportMemoriesRequest: "ExportMemoriesResponse",
};

const HEADER = '"""Made of the protos. Do not edit."""\n\nfrom __future__ import annotations\n';

/** The modules of the client that are made of the protos, by their names. */
export function pythonModules(files: readonly DescFile[]): Readonly<Record<string, string>> {
  const methods = files.flatMap(({ services }) => services).flatMap((service) => service.methods);
  return {
    messages: messagesModule(files),
    _rpcs: rpcsModule(methods),
    _methods: methodsModule(methods),
  };
}

/** The name that an RPC has as a constant; a method has it in small letters. */
export function constantOf({ name }: DescMethod): string {
  return name.replaceAll(/(?<!^)(?=[A-Z])/g, "_").toUpperCase();
}

function messagesModule(files: readonly DescFile[]): string {
  const imports = files.map(({ proto, messages }) => {
    const names = messages.map(({ name }) => `    ${name} as ${name},\n`);
    return `from ${moduleOf(proto.name)} import (\n${names.join("")})\n`;
  });
  const names = files.flatMap(({ messages }) => messages.map(({ name }) => `    "${name}",\n`));
  return `${HEADER}\n${imports.join("")}\n__all__ = [\n${names.toSorted().join("")}]\n`;
}

function rpcsModule(methods: readonly DescMethod[]): string {
  const constants = methods.map((method) => {
    const path = `/${method.parent.typeName}/${method.name}`;
    return `${constantOf(method)} = Rpc(
    "${path}",
    m.${method.input.name},
    m.${method.output.name},
    is_idempotent=${pythonOf(isIdempotent(method))},
    takes_key=${pythonOf(KEYED_METHODS_BY_PATH.has(path))},
)\n`;
  });
  const imports = "from agent_memory import messages as m\nfrom agent_memory._rpc import Rpc\n";
  return `${HEADER}\n${imports}\n${constants.join("")}`;
}

/** Their descriptors are those of `gen`, and the ones here are read anew. */
const KEYED_METHODS_BY_PATH = new Set(
  [...KEYED_METHODS].map(({ parent, name }) => `/${parent.typeName}/${name}`),
);

function methodsModule(methods: readonly DescMethod[]): string {
  return `${HEADER}
from collections.abc import AsyncGenerator, AsyncIterable, Generator, Iterable, Mapping
from datetime import datetime
from typing import Any

from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.timestamp_pb2 import Timestamp

from agent_memory import _rpcs
from agent_memory import messages as m
from agent_memory._async_calls import AsyncCalls
from agent_memory._calls import Calls
from agent_memory.pages import AsyncPages, Pages


class Methods(Calls):
    """The RPCs of the service."""

${methods.map((method) => methodOf(method, false)).join("\n")}

class AsyncMethods(AsyncCalls):
    """The RPCs of the service."""

${methods.map((method) => methodOf(method, true)).join("\n")}`;
}

function methodOf(method: DescMethod, isAsync: boolean): string {
  const { parameters, answer, isAwaited, call } = shapeOf(method, isAsync);
  const [def, wait] = isAsync && isAwaited ? ["async def", "await "] : ["def", ""];
  const all = ["self", ...parameters, "timeout: float | None = None"];
  if (takesKey(method)) all.push("idempotency_key: str | None = None");
  return `    ${def} ${constantOf(method).toLowerCase()}(
${all.map((each) => `        ${each},\n`).join("")}    ) -> ${answer}:
${docstringOf(method)}
        return ${wait}${call}
`;
}

function takesKey({ parent, name }: DescMethod): boolean {
  return KEYED_METHODS_BY_PATH.has(`/${parent.typeName}/${name}`);
}

/** `call` is what does it, with its arguments; async clients await it where `isAwaited`. */
function shapeOf(method: DescMethod, isAsync: boolean) {
  const { input, output, methodKind } = method;
  const async = isAsync ? "Async" : "";
  const rpc = `_rpcs.${constantOf(method)}`;
  const answer = `m.${output.name}`;
  if (methodKind === "client_streaming") {
    const taken = [input.name, ALSO_TAKEN[input.name]].flatMap((name) => name ?? []);
    const item = taken.map((name) => `m.${name}`).join(" | ");
    const also = isAsync ? ` | AsyncIterable[${item}]` : "";
    const parameters = [`messages: Iterable[${item}]${also}`, "*"];
    return { parameters, answer, isAwaited: true, call: `self._write(${rpc}, timeout, messages)` };
  }
  const pageItems = itemsOf(method);
  const own = input.fields.map(parameterOf);
  const required = own.filter((each) => !each.includes("="));
  const optional = own.filter((each) => each.includes("="));
  const parameters = ["*", ...required, ...optional];
  const pairs = input.fields.map(({ name }) => `"${name}": ${name}`);
  const fields = `{${pairs.join(", ")}}`;
  if (methodKind === "server_streaming") {
    const generator = `${async}Generator[${answer}, None]`;
    const whole = isAsync ? generator : generator.replace("None]", "None, None]");
    const call = `self._stream(${rpc}, timeout, ${fields})`;
    return { parameters, answer: whole, isAwaited: false, call };
  }
  if (pageItems !== null) {
    const pages = `${async}Pages[${answer}, m.${pageItems.message?.name}]`;
    const call = `self._pages(${rpc}, timeout, ${fields}, "${pageItems.name}")`;
    return { parameters, answer: pages, isAwaited: false, call };
  }
  const key = takesKey(method) ? "idempotency_key" : "None";
  const call = `self._call(${rpc}, timeout, ${key}, ${fields})`;
  return { parameters, answer, isAwaited: true, call };
}

/** What a page is of; null: the RPC does not answer in pages. */
function itemsOf({ output }: DescMethod): DescField | null {
  if (!output.fields.some(({ name }) => name === "next_page_token")) return null;
  const lists = output.fields.filter(({ fieldKind }) => fieldKind === "list");
  const [items] = lists;
  if (items === undefined || lists.length > 1) {
    throw new Error(`${output.typeName}: a page has one list`);
  }
  return items;
}

function parameterOf(field: DescField): string {
  const type = `${field.name}: ${typeOf(field)}`;
  return getOption(field, rules).required ? type : `${type} | None = None`;
}

function typeOf(field: DescField): string {
  switch (field.fieldKind) {
    case "scalar":
      return scalarOf(field.scalar);
    case "message":
      return messageOf(field.message);
    case "map":
      return "Mapping[str, str]";
    case "list":
      if (field.listKind === "scalar") return `Iterable[${scalarOf(field.scalar)}]`;
      if (field.listKind === "message") return `Iterable[${messageOf(field.message)}]`;
  }
  throw new Error(`${field.name}: a kind of field that no request had`);
}

function scalarOf(scalar: ScalarType): string {
  if (scalar === ScalarType.STRING) return "str";
  if (scalar === ScalarType.BOOL) return "bool";
  return scalar === ScalarType.DOUBLE ? "float" : "int";
}

function messageOf({ typeName, name }: DescMessage): string {
  if (typeName === "google.protobuf.Timestamp") return "datetime | Timestamp";
  if (typeName === "google.protobuf.FieldMask") return "Iterable[str] | FieldMask";
  return `m.${name} | Mapping[str, Any]`;
}

function docstringOf(method: DescMethod): string {
  const lines = commentOf(method);
  const isStream = method.methodKind === "client_streaming";
  for (const field of isStream ? [] : method.input.fields) {
    const [first = "", ...rest] = commentOf(field);
    lines.push("", `${field.name}: ${first}`, ...rest.map((line) => line && `    ${line}`));
  }
  const text = lines.map((line) => (line === "" ? "" : `        ${line}`)).join("\n");
  return `        """${text.trimStart()}\n        """`;
}

function commentOf(desc: DescField | DescMethod): string[] {
  const comment = getComments(desc).leading?.replaceAll(/^ /gm, "").trim() ?? "";
  return comment.replaceAll("\\", "\\\\").split("\n");
}

function pythonOf(value: boolean): string {
  return value ? "True" : "False";
}
