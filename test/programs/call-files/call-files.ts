import { Session } from "node:inspector/promises";
import { relative, sep } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { choiceOf, startFakeVendor, talkativeModel } from "../../providers/service/vendors.ts";
import { PROJECT_ROOT } from "../../support/project-root.ts";
import { startTestService, type TestService } from "../../support/service.ts";

/** The calls over REST whose files are counted. */
export const COUNTED_CALLS = [
  "plan status",
  "list of 10",
  "search",
  "content write",
  "messages write with a chat model",
] as const;

export type CountedCall = (typeof COUNTED_CALLS)[number];

/** By call, the files of the project that the warm call passes, in order of path. */
export type CallFiles = ReadonlyMap<CountedCall, readonly string[]>;

/** Before they are counted: what is made once and kept is there by then. */
const WARM_UP_CALLS = 5;
/** A file counts that each of them passes: timers that fire meanwhile are none of the call. */
const COUNTED_REPEATS = 5;
/** By then the call before has been logged, on a busy machine too. */
const PAUSE_MS = 200;

/**
 * Counts the files in `src` and `packages` of which a function runs, in the main thread, while
 * one warm call over REST is answered: by a service in this process, on the embedded database,
 * with rate limits, the local embedder and a vendor's chat model over HTTP.
 */
export async function countCallFiles(): Promise<CallFiles> {
  const vendor = await startFakeVendor("openai");
  vendor.chat = talkativeModel;
  const models = choiceOf("openai", vendor, { embeddings: { provider: "local" } });
  const config = { models, rateLimit: true };
  const service = await startTestService({ config });
  try {
    const target = { url: service.url, key: await keyOf(service) };
    // Time stands still, so that the caller stays known.
    return await service.clock.hold(() => countFilesOf(target));
  } finally {
    await service.close();
    await vendor.close();
  }
}

async function keyOf(service: TestService): Promise<string> {
  const { key } = await service.createAccount({ rate: 1_000, burst: 1_000 });
  return key;
}

/** Where to call, and the key to call with. */
interface Target {
  readonly url: string;
  readonly key: string;
}

async function countFilesOf(target: Target): Promise<CallFiles> {
  for (let index = 0; index < 10; index++) {
    await call(target, "POST", "/agent/memories", { content: `Fact number ${index}` });
  }
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    const files = new Map<CountedCall, readonly string[]>();
    for (const name of COUNTED_CALLS) {
      for (let index = 0; index < WARM_UP_CALLS; index++) await CALLS[name](target);
      const passed: string[][] = [];
      for (let index = 0; index < COUNTED_REPEATS; index++) {
        await setTimeout(PAUSE_MS);
        passed.push(await filesOf(session, () => CALLS[name](target)));
      }
      const [first = [], ...others] = passed;
      files.set(
        name,
        first.filter((file) => others.every((each) => each.includes(file))),
      );
    }
    return files;
  } finally {
    session.disconnect();
  }
}

const CALLS: { readonly [name in CountedCall]: (target: Target) => Promise<void> } = {
  "plan status": (target) => call(target, "GET", "/plan/status"),
  "list of 10": (target) => call(target, "GET", "/agent/memories?limit=10"),
  search: (target) => call(target, "POST", "/agent/search", { question: nextText() }),
  "content write": (target) => call(target, "POST", "/agent/memories", { content: nextText() }),
  "messages write with a chat model": (target) =>
    call(target, "POST", "/agent/memories", {
      messages: [{ role: "user", content: nextText() }],
      auto_supersede: true,
    }),
};

let texts = 0;

/** One that was not sent before. */
function nextText(): string {
  texts++;
  return `My locker has the number ${texts}`;
}

/** By `fetch` alone: nothing of the service's code answers for the client. */
async function call(
  { url, key }: Target,
  method: string,
  path: string,
  body?: object,
): Promise<void> {
  const answer = await fetch(new URL(path, url), {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
}

/** The files of which a function runs while `work` does. */
async function filesOf(session: Session, work: () => Promise<void>): Promise<string[]> {
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  try {
    await work();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const ran = result.filter(({ functions }) =>
      functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
    );
    return [...new Set(ran.flatMap(({ url }) => ownFile(url) ?? []))].sort();
  } finally {
    await session.post("Profiler.stopPreciseCoverage");
  }
}

/** From the root of the project; null: it is not of `src` or `packages`. */
function ownFile(url: string): string | null {
  if (!url.startsWith("file://")) return null;
  const path = relative(PROJECT_ROOT, fileURLToPath(url)).split(sep).join("/");
  const isOwn = /^(?:src|packages)\//.test(path) && !path.includes("node_modules/");
  return isOwn ? path : null;
}
