import { type DestinationStream, pino } from "pino";
import type { LogLevel } from "./config/config.ts";

/** The log of the service, for its operator. `fields.err` is an error with its stack. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const SECRET_NAMES = [
  "authorization",
  "Authorization",
  "proxy-authorization",
  "cookie",
  "api_key",
  "apiKey",
  "token",
  "password",
  "DATABASE_URL",
];

/** A pattern matches one depth, so each name is there for every depth. */
const REDACTED_PATHS = ["", "*", "*.*", "*.*.*"].flatMap((depth) => [
  ...SECRET_NAMES.map((name) => `${depth}["${name}"]`),
  // Everything that a caller sent to reach a model of its own (D27).
  `${depth}["llm"].*`,
]);

/** Lines for people, with time, level, message and fields. */
export async function forTerminal(): Promise<DestinationStream> {
  const { default: pretty } = await import("pino-pretty");
  return pretty({ ignore: "pid,hostname", singleLine: true, translateTime: "SYS:HH:MM:ss.l" });
}

/** How long a line may wait for others that are written with it. */
const LINE_WAIT_MS = 50;
/** A pipe takes this much in one piece: nothing else is written in between. */
const MAX_WAITING_BYTES = 4_096;

export interface LogDestination extends DestinationStream {
  /** Writes the waiting lines at once. */
  flush?(): void;
}

/**
 * Standard output. A few lines are written at a time, since each write costs as much as a
 * line. Waiting lines are written when the process ends, unless the system ends it.
 */
export function toStandardOutput(): LogDestination {
  const destination = pino.destination({ dest: 1, minLength: MAX_WAITING_BYTES });
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    destination.flush();
  }

  return {
    flush,
    write(line) {
      destination.write(line);
      timer ??= setTimeout(flush, LINE_WAIT_MS);
    },
  };
}

/**
 * Writes one JSON object a line, to standard output by default; warnings and errors at once.
 * Values of credentials in `fields` are replaced, down to the fourth level; a message must not
 * hold any. `context` returns further fields of each line.
 */
export function createLog(
  level: LogLevel,
  destination: LogDestination = toStandardOutput(),
  context: () => object = () => ({}),
): Log {
  const options = { level, mixin: context };
  const redact = { paths: REDACTED_PATHS, censor: "[redacted]" };
  const plain = pino(options, destination);
  const redacting = pino({ ...options, redact }, destination);
  // Most lines are plain, and the search for secrets is a third of the cost of a line.
  const write = (of: keyof Log, isUrgent: boolean) => (fields: object, message: string) => {
    (isPlain(fields) ? plain : redacting)[of](fields, message);
    if (isUrgent) destination.flush?.();
  };
  return {
    debug: write("debug", false),
    info: write("info", false),
    warn: write("warn", true),
    error: write("error", true),
  };
}

/** No field is an object or has the name of a secret. */
function isPlain(fields: object): boolean {
  return Object.entries(fields).every(
    ([name, value]) =>
      !(typeof value === "object" && value !== null) && !SECRET_NAMES.includes(name),
  );
}
