import type { Profiler } from "node:inspector";

/** Of the clock of `process.hrtime`, which all processes of a machine share. */
export interface Period {
  readonly fromMicros: number;
  readonly toMicros: number;
}

/** Where a thread was, in microseconds of its own time. */
export interface SelfTimes {
  readonly byPart: ReadonlyMap<string, number>;
  /** Without what is no function: idle, native code, garbage collection. */
  readonly byFunction: ReadonlyMap<string, number>;
}

export const IDLE = "idle";

/** What V8 calls what is no function. */
const NO_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ["(idle)", IDLE],
  ["(garbage collector)", "garbage collection"],
  ["(program)", "Node.js: native code"],
  ["(root)", "Node.js: native code"],
]);

/** By what the path of a file has in it: the first that fits. */
const PARTS: readonly (readonly [path: RegExp, part: string])[] = [
  // A thread of the local models blocks in it until there is something to do.
  [/\/node_modules\/piscina\/dist\/worker\.js$/, IDLE],
  [/^wasm:|\/node_modules\/@electric-sql\//, "PGlite"],
  [/\/node_modules\/(pg|pg-\w+|postgres-\w+|pgvector)\//, "pg"],
  [/\/node_modules\/(pino|pino-\w+|sonic-boom)\/|\/src\/log\.ts$/, "log"],
  [/\/node_modules\/(@bufbuild|@connectrpc)\/|\/gen\//, "protobuf and Connect"],
  [/\/node_modules\/kysely\//, "Kysely"],
  [/\/node_modules\/prom-client\/|\/src\/metrics/, "metrics"],
  [/\/node_modules\//, "other packages"],
  [/\/src\/edge\/http\//, "edge: the port"],
  [/\/src\/edge\/rest\//, "edge: REST"],
  [/\/src\/edge\//, "edge: the rest of it"],
  [/\/src\/service\//, "service"],
  [/\/src\/domain\//, "domain"],
  [/\/src\/storage\//, "storage"],
  [/\/src\/providers\//, "providers"],
  [/\/src\//, "other files of src"],
  [/^node:.*http/, "Node.js: http"],
  [/^node:.*(net|stream|dns|tls)/, "Node.js: sockets and streams"],
  [/^node:.*fs/, "Node.js: files"],
  [/^node:.*crypto/, "Node.js: digests and random numbers"],
  [/^node:.*(async|timers|task_queues|process|events|diagnostics)/, "Node.js: turns of the loop"],
  [/^node:/, "Node.js: other"],
];

interface Place {
  readonly part: string;
  /** null: no function. */
  readonly name: string | null;
}

const NOWHERE: Place = { part: "Node.js: native code", name: null };

/** What a thread did in a period, of what `--cpu-prof` wrote of it. */
export function selfTimes(profile: Profiler.Profile, { fromMicros, toMicros }: Period): SelfTimes {
  const places = placesOf(profile);
  const byPart = new Map<string, number>();
  const byFunction = new Map<string, number>();
  const { samples = [], timeDeltas = [] } = profile;
  let at = profile.startTime;
  for (const [i, id] of samples.entries()) {
    at += timeDeltas[i] ?? 0;
    if (at < fromMicros || at >= toMicros) continue;
    // A sample stands until the next one.
    const micros = timeDeltas[i + 1] ?? 0;
    const { part, name } = places.get(id) ?? NOWHERE;
    byPart.set(part, (byPart.get(part) ?? 0) + micros);
    if (name !== null) byFunction.set(name, (byFunction.get(name) ?? 0) + micros);
  }
  return { byPart, byFunction };
}

/** By the IDs of nodes. What has no file, such as the functions of V8, is a part of who called it. */
function placesOf({ nodes }: Profiler.Profile): ReadonlyMap<number, Place> {
  const places = new Map<number, Place>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const visit = (id: number, caller: Place): void => {
    const node = byId.get(id);
    if (node === undefined) return;
    const place = placeOf(node.callFrame, caller);
    places.set(id, place);
    for (const child of node.children ?? []) visit(child, place);
  };
  const [root] = nodes;
  if (root !== undefined) visit(root.id, NOWHERE);
  return places;
}

function placeOf(
  { functionName, url, lineNumber }: Profiler.ProfileNode["callFrame"],
  caller: Place,
): Place {
  const part = NO_FUNCTIONS.get(functionName);
  if (part !== undefined) return { part, name: null };
  if (url === "") {
    return { part: caller.part, name: `${functionName || "(no name)"}, for ${caller.part}` };
  }
  const file = url.replace(/^.*\/(?=(node_modules|src|gen)\/)/, "");
  return {
    part: PARTS.find(([path]) => path.test(url))?.[1] ?? "other files",
    name: `${functionName || "(no name)"}, ${file}:${lineNumber + 1}`,
  };
}
