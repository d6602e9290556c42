import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { PROCESS_VARIABLES } from "../../support/service-process.ts";

/** A process of the service, which is started again on the same ports. */
export class Server {
  readonly #root: string;
  readonly #variables: Readonly<Record<string, string>>;
  #child: ChildProcess | null = null;
  #output = "";
  #isEndExpected = false;
  #port = 0;
  #adminPort = 0;
  /** Sentences: ends that nobody asked for. */
  readonly incidents: string[] = [];

  /** `root`: the folder of the project whose `src/main.ts` is run. */
  constructor(root: string, variables: Readonly<Record<string, string>>) {
    this.#root = root;
    this.#variables = variables;
  }

  get port(): number {
    return this.#port;
  }

  get adminPort(): number {
    return this.#adminPort;
  }

  /** Resolves when it serves. Rejects when it ends before. */
  async start(): Promise<void> {
    if (this.#child !== null) return;
    const child = spawn(process.execPath, [join(this.#root, "src/main.ts")], {
      cwd: this.#root,
      env: {
        ...PROCESS_VARIABLES,
        LOG_LEVEL: "error",
        RATE_LIMIT: "off",
        PORT: String(this.#port),
        ADMIN_PORT: String(this.#adminPort),
        ...this.#variables,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    this.#output = "";
    this.#isEndExpected = false;
    const serving = Promise.withResolvers<void>();
    let isServing = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.#output = (this.#output + text).slice(-MAX_OUTPUT_CHARACTERS);
        if (/^api .+\n/m.test(this.#output)) serving.resolve();
      });
    }
    child.on("close", (code, signal) => {
      if (this.#child === child) this.#child = null;
      const sentence = `a server ended by itself with ${code ?? signal}: ${this.#output}`;
      if (isServing && !this.#isEndExpected) this.incidents.push(sentence);
      serving.reject(new Error(sentence));
    });
    await serving.promise;
    isServing = true;
    this.#port = Number(/^api +\S+:(\d+) /m.exec(this.#output)?.[1]);
    this.#adminPort = Number(/^admin +gRPC on port (\d+)/m.exec(this.#output)?.[1]);
  }

  /** Ends the process and waits for it. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#isEndExpected = true;
    const ended = once(child, "close");
    child.kill(signal);
    await ended;
  }

  pause(): void {
    this.#child?.kill("SIGSTOP");
  }

  resume(): void {
    this.#child?.kill("SIGCONT");
  }
}

const MAX_OUTPUT_CHARACTERS = 20_000;
