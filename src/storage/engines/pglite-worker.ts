import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { vector } from "@electric-sql/pglite-pgvector";
import { FOR_OTHERS } from "./data-folder.ts";
import type { FromWorker, ToWorker } from "./pglite-stream.ts";

/** How much of what PGlite says when it can't open goes into the error. */
const MAX_LINES_OF_OUTPUT = 5;

/**
 * The thread that PGlite runs in: a statement blocks the event loop for as long
 * as it takes. An error ends the thread, which the parent sees as a lost
 * connection; a statement's own error is part of the reply.
 */
const port = parentPort;
if (port === null) throw new Error("This file runs as a worker thread");

/** Files for the service's user alone: PGlite has a umask of its own, which some files go by. */
class PrivateNodeFs extends NodeFS {
  override async init(...given: Parameters<NodeFS["init"]>) {
    const { emscriptenOpts } = await super.init(...given);
    const { preRun = [] } = emscriptenOpts;
    const makePrivate: (typeof preRun)[number] = ({ FS }) => {
      const { chmod } = FS;
      FS.chmod = (path: string, mode: number, isLink?: boolean) =>
        chmod(path, mode & ~FOR_OTHERS, isLink);
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...preRun, makePrivate] } };
  }
}

const database = await open(workerData);
// One message at a time, in order: execProtocolRawStream must not overlap.
let previous = Promise.resolve();
port.on("message", (message: ToWorker) => {
  previous = previous.then(() => handle(message));
});
post("ready");

async function open(dataDir: string): Promise<PGlite> {
  const output: string[] = [];
  try {
    return await PGlite.create({
      fs: new PrivateNodeFs(dataDir),
      extensions: { vector },
      startParams: [
        ...PGlite.defaultStartParams,
        // Not the usual 128 MiB, which would be taken at once: whatever is not among them
        // is in the cache of the operating system.
        "-c",
        "shared_buffers=16MB",
        // Log files are removed rather than reused: they hold text that was erased.
        "-c",
        "wal_recycle=off",
      ],
      onStderr: (line) => {
        output.push(line);
        if (output.length > MAX_LINES_OF_OUTPUT) output.shift();
        return false;
      },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error([reason, ...output].join(" "));
  }
}

async function handle(message: ToWorker): Promise<void> {
  if (message === "close") {
    await database.close();
    port?.close();
    return;
  }
  const parts: Uint8Array[] = [];
  await database.execProtocolRawStream(message, {
    // The memory behind a part is reused by the next one.
    onRawData: (part) => parts.push(part.slice()),
  });
  const bytes = new Uint8Array(Buffer.concat(parts));
  post(bytes, [bytes.buffer]);
}

function post(message: FromWorker, transfer: ArrayBuffer[] = []): void {
  port?.postMessage(message, transfer);
}
