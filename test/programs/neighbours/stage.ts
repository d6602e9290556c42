import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { AccountLimitsSchema } from "../../../gen/agentmemory/admin/v1/account_service_pb.ts";
import { createAdminClient } from "../../../src/cli/client.ts";
import { RIGHTS } from "../../../src/domain/api-key.ts";
import { newTestLocation, type TestEngine } from "../../support/database.ts";
import {
  databaseVariables,
  PROCESS_VARIABLES,
  type ServiceProcess,
  startServiceProcess,
} from "../../support/service-process.ts";
import type { Order, Reply } from "./attacker-process.ts";
import type { Answers, Extent, NeighbourCase } from "./neighbour-case.ts";
import { probe, type Waits } from "./prober.ts";

/** Limits that are none. */
const NO_LIMITS = { rate: 1_000_000, burst: 1_000_000, writesLimit: 1_000_000 };
const MEMORY_SAMPLE_MS = 200;
const BARE_SERVER = join(import.meta.dirname, "bare-server.ts");
const ATTACKER = join(import.meta.dirname, "attacker-process.ts");
const LOOP_MONITOR = join(import.meta.dirname, "loop-monitor.ts");

/** For how long things go on. */
export interface Timing {
  /** Before the attack, for comparison. */
  readonly undisturbedMs: number;
  /** The attack, unless it is over before. */
  readonly atMostMs: number;
  /** After the attack: what goes on although nobody waits for it any more. */
  readonly afterwardsMs: number;
}

export interface Played {
  readonly undisturbed: Waits;
  /** From the start of the attack to some time after its end. */
  readonly disturbed: Waits;
  /**
   * Meanwhile too, for a server that nobody attacks and that does nothing but answer: what
   * of a wait is the machine's, on which the attacker computes as well.
   */
  readonly floor: Waits;
  /** What the other one was answered. */
  readonly attacker: Answers;
  /** Resident memory of the service; null where the system doesn't tell. */
  readonly memoryMib: Record<"before" | "peak" | "after", number> | null;
  /** That the event loop of the service computed without a turn, meanwhile; null: not measured. */
  readonly longestStretchMs: number | null;
}

/** A service in a process of its own, for accounts that are in each other's way. */
export interface Stage {
  readonly service: ServiceProcess;
  play(played: NeighbourCase, extent: Extent, timing: Timing): Promise<Played>;
  close(): Promise<void>;
}

export interface StageOptions {
  /** Where the CPU profile of the service goes. */
  readonly profile?: string;
}

export async function openStage(engine: TestEngine, options: StageOptions = {}): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "agent-memory-neighbours-"));
  const loopFile = join(folder, "loop");
  const place = await newTestLocation(engine);
  const service = await startServiceProcess({
    ...databaseVariables(place.location),
    RATE_LIMIT: "on",
    LOG_LEVEL: "error",
    NODE_OPTIONS: `--import=${LOOP_MONITOR}`,
    LOOP_MONITOR_FILE: loopFile,
    ...(options.profile !== undefined && { LOOP_MONITOR_PROFILE: options.profile }),
  });
  const bare = startProcess(BARE_SERVER);
  const barePort = Number(await bare.next());
  const port = Number(new URL(service.url).port);
  const adminPort = Number(/^admin .* port (\d+)$/m.exec(service.output())?.[1]);
  const admin = createAdminClient({ host: "127.0.0.1", port: adminPort, token: null });

  async function newKey(limits: null | undefined): Promise<string> {
    const companyId = `company-${randomUUID()}`;
    const ownLimits = limits === null ? undefined : create(AccountLimitsSchema, NO_LIMITS);
    await admin.accounts.createAccount({ account: { companyId, ownLimits } });
    return (await admin.apiKeys.createApiKey({ companyId, rights: [...RIGHTS] })).secret;
  }

  async function play(
    { name, limits }: NeighbourCase,
    extent: Extent,
    { undisturbedMs, atMostMs, afterwardsMs }: Timing,
  ): Promise<Played> {
    const [attackerKey, key] = [await newKey(limits), await newKey(undefined)];
    const attacker = startAttacker();
    try {
      const options = { port, key: attackerKey, extent };
      await attacker.tell({ kind: "arrange", name, options });
      const undisturbed = await probe(port, key, AbortSignal.timeout(undisturbedMs));
      const memory = watchMemory(service.pid);
      const since = Date.now();
      const over = new AbortController();
      const probed = probe(port, key, over.signal);
      const floor = probe(barePort, key, over.signal);
      const reply = await attacker.tell({ kind: "attack", atMostMs }).finally(() => attacker.end());
      await sleep(afterwardsMs);
      over.abort();
      return {
        undisturbed,
        disturbed: await probed,
        floor: await floor,
        attacker: reply.kind === "attacked" ? reply.answers : {},
        memoryMib: memory.stop(),
        longestStretchMs: longestStretch(loopFile, since),
      };
    } finally {
      attacker.end();
    }
  }

  return {
    service,
    play,
    async close() {
      bare.end();
      await service.end("SIGTERM");
      await place.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function startAttacker() {
  const attacker = startProcess(ATTACKER);
  return {
    async tell(order: Order): Promise<Reply> {
      const replied = attacker.next();
      attacker.child.send(order);
      const reply = (await replied) as Reply;
      if (reply.kind === "failed") throw new Error(`the attack failed: ${reply.why}`);
      return reply;
    },
    end: attacker.end,
  };
}

function startProcess(file: string) {
  const child: ChildProcess = fork(file, { execArgv: [], env: { ...PROCESS_VARIABLES } });
  const gone = once(child, "exit").then(() => {
    throw new Error(`${basename(file)} ended`);
  });
  gone.catch(() => {});
  return {
    child,
    /** What it says next. */
    async next(): Promise<unknown> {
      const [message]: unknown[] = await Promise.race([once(child, "message"), gone]);
      return message;
    },
    end: () => void child.kill("SIGKILL"),
  };
}

const BYTES_PER_MIB = 1024 * 1024;
const PAGE_BYTES = 4096;

function residentMib(pid: number): number {
  const [, pages] = readFileSync(`/proc/${pid}/statm`, "latin1").split(" ");
  return (Number(pages) * PAGE_BYTES) / BYTES_PER_MIB;
}

function watchMemory(pid: number): { stop(): Played["memoryMib"] } {
  if (process.platform !== "linux") return { stop: () => null };
  const before = residentMib(pid);
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMib(pid));
  }, MEMORY_SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      const after = residentMib(pid);
      return { before, peak: Math.max(peak, after), after };
    },
  };
}

/** Of what the loop monitor wrote since then. */
function longestStretch(file: string, sinceMs: number): number | null {
  const lines = readFileSync(file, "latin1").trim().split("\n");
  const stretches = lines
    .map((line) => line.split(" ").map(Number))
    .filter(([at = 0]) => at >= sinceMs)
    .map(([, ms = 0]) => ms);
  return stretches.length === 0 ? null : Math.max(...stretches);
}
