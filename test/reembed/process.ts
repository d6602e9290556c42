import { execFile } from "node:child_process";
import { PROCESS_VARIABLES } from "../support/service-process.ts";

export interface ReembedProcess {
  /** Ends it at once, wherever it is. */
  kill(): void;
  /** Resolves when it has ended; `code` is null when it was killed. */
  readonly ended: Promise<{
    readonly code: number | null;
    readonly out: string;
    readonly err: string;
  }>;
}

/** The command as a process of its own. */
export function runReembed(adminPort: number, args: readonly string[]): ReembedProcess {
  const env = { ...PROCESS_VARIABLES, ADMIN_PORT: String(adminPort) };
  const ended = Promise.withResolvers<Awaited<ReembedProcess["ended"]>>();
  const child = execFile(
    process.execPath,
    ["src/cli/main.ts", "reembed", ...args],
    { env },
    (_, out, err) => ended.resolve({ code: child.exitCode, out, err }),
  );
  return { kill: () => child.kill("SIGKILL"), ended: ended.promise };
}
