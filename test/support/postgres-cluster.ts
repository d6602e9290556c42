import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
export const BIN = "/usr/lib/postgresql/15/bin";

/** What can fail while servers stand on it. */
export interface Breakable {
  /** As a crash: no transaction is finished, nothing is flushed. */
  stopAtOnce(): Promise<void>;
  start(): Promise<void>;
  /** Stops all its processes where they are, until `thaw`. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

/** A Postgres cluster of the run's own, which may be killed. What it acknowledges is on disk. */
export class Cluster implements Breakable {
  readonly #folder: string;
  readonly port: number;
  readonly #settings: readonly string[];

  private constructor(folder: string, port: number, settings: readonly string[]) {
    this.#folder = folder;
    this.port = port;
    this.#settings = settings;
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  /** `settings`: beside those that every one has, each as `name=value`, without spaces. */
  static async create(settings: readonly string[] = []): Promise<Cluster> {
    const cluster = await Cluster.#inFolderOfItsOwn(settings);
    await cluster.#postgres("initdb", [
      ...["--pgdata", cluster.data, "--username", "postgres", "--auth", "trust"],
      ...["--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync"],
    ]);
    await cluster.start();
    return cluster;
  }

  /** A replica that streams from the primary, as it is now and from now on. */
  static async replicaOf(primary: Cluster): Promise<Cluster> {
    const replica = await Cluster.#inFolderOfItsOwn(primary.#settings);
    await replica.#postgres("pg_basebackup", [
      ...["--dbname", primary.url, "--pgdata", replica.data, "--checkpoint", "fast"],
      ...["--wal-method", "stream", "--write-recovery-conf", "--no-sync"],
    ]);
    await replica.start();
    return replica;
  }

  static async #inFolderOfItsOwn(settings: readonly string[]): Promise<Cluster> {
    const folder = await mkdtemp(join(tmpdir(), "agent-memory-cluster-"));
    if (process.getuid?.() === 0) await run("chown", ["postgres", folder]);
    await chmod(folder, 0o700);
    return new Cluster(folder, await freePort(), settings);
  }

  async start(): Promise<void> {
    // A killed server needs no disk to be asked: what the system was given, it keeps.
    const all = [
      "listen_addresses=127.0.0.1",
      `unix_socket_directories=${this.#folder}`,
      ...["max_connections=200", "fsync=off", "full_page_writes=off"],
      ...this.#settings,
    ];
    const options = [`-p ${this.port}`, ...all.map((setting) => `-c ${setting}`)].join(" ");
    const log = join(this.#folder, "log");
    await this.#postgres("pg_ctl", [
      ...["start", "--pgdata", this.data, "--log", log, "--wait", "--silent"],
      ...["--options", options],
    ]);
  }

  /** Of a replica: from now on it is written to. */
  async promote(): Promise<void> {
    await this.#postgres("pg_ctl", ["promote", "--pgdata", this.data, "--wait", "--silent"]);
  }

  async stopAtOnce(): Promise<void> {
    await this.#postgres("pg_ctl", [
      ...["stop", "--pgdata", this.data, "--mode", "immediate", "--silent"],
    ]);
  }

  async freeze(): Promise<void> {
    await this.#signalAll("SIGSTOP");
  }

  async thaw(): Promise<void> {
    await this.#signalAll("SIGCONT");
  }

  async remove(): Promise<void> {
    await this.stopAtOnce().catch(() => {});
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** The folder with its data. */
  get data(): string {
    return join(this.#folder, "data");
  }

  async #signalAll(signal: "SIGSTOP" | "SIGCONT"): Promise<void> {
    const postmaster = Number(
      (await readFile(join(this.data, "postmaster.pid"), "utf8")).split("\n")[0],
    );
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8");
    for (const pid of [postmaster, ...children.split(" ").filter(Boolean).map(Number)]) {
      try {
        process.kill(pid, signal);
      } catch (error) {
        // It has ended since it was listed.
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    }
  }

  /** Postgres refuses to run as root. */
  async #postgres(program: string, args: readonly string[]): Promise<void> {
    const command = [join(BIN, program), ...args];
    const asOwner = process.getuid?.() === 0 ? ["runuser", "--user", "postgres", "--"] : [];
    const [file = "", ...rest] = [...asOwner, ...command];
    await run(file, rest, { cwd: this.#folder });
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("unreachable: it listened");
  return address.port;
}
