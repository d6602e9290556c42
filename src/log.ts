import { type DestinationStream, pino } from "pino";
import type { LogLevel } from "./config/config.ts";

/** What the service says to its operator. `fields.err` is an error with its stack. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const SECRET_KEYS = [
  "authorization",
  "Authorization",
  '["proxy-authorization"]',
  "cookie",
  "api_key",
  "apiKey",
  "token",
  "password",
  "DATABASE_URL",
];
/** Those keys as they stand in fields. */
const SECRET_NAMES = new Set(SECRET_KEYS.map((key) => key.replaceAll(/[["\]]/g, "")));
/** A pattern names one depth exactly, so each key is named at every depth that is logged. */
const DEPTHS = ["", "*.", "*.*.", "*.*.*."];

const REDACTED_PATHS = DEPTHS.flatMap((depth) => [
  ...SECRET_KEYS.map((key) =>
    key.startsWith("[") ? `${depth.replace(/\.$/, "")}${key}` : `${depth}${key}`,
  ),
  // Everything that a caller sent to reach a model of its own (D27).
  `${depth}llm.*`,
]);

/** Lines for people: of each the time, the level, the message and the fields. */
export async function forTerminal(): Promise<DestinationStream> {
  const { default: pretty } = await import("pino-pretty");
  return pretty({ ignore: "pid,hostname", singleLine: true, translateTime: "SYS:HH:MM:ss.l" });
}

/** How long a line may wait for others that are written with it. */
const LINE_WAIT_MS = 50;
/** So much a pipe takes in one piece, which nothing else is written into. */
const MAX_WAITING_CHARACTERS = 4_096;

export interface LogDestination extends DestinationStream {
  /** Writes at once what waits. */
  flush?(): void;
}

/**
 * Standard output, written to a few lines at a time: each time costs as much as a line. What
 * waits is written when the process ends, unless the system ends it.
 */
export function toStandardOutput(): LogDestination {
  const destination = pino.destination(1);
  let waiting = "";
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting !== "") destination.write(waiting);
    waiting = "";
  }

  process.once("exit", () => {
    flush();
    destination.flushSync();
  });
  return {
    flush,
    write(line) {
      if (waiting.length + line.length > MAX_WAITING_CHARACTERS) flush();
      waiting += line;
      timer ??= setTimeout(flush, LINE_WAIT_MS);
    },
  };
}

/**
 * Writes one JSON object a line, to standard output unless told otherwise; warnings and
 * errors at once. The values of credentials are replaced wherever they stand in `fields`, down to
 * the fourth level; a message must not hold any. `context` is asked for further fields
 * of each line.
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
  // The line of each call is plain, and to look for secrets took a third of writing it.
  const writerOf = (fields: object) => (isPlain(fields) ? plain : redacting);
  return {
    debug: (fields, message) => writerOf(fields).debug(fields, message),
    info: (fields, message) => writerOf(fields).info(fields, message),
    warn(fields, message) {
      writerOf(fields).warn(fields, message);
      destination.flush?.();
    },
    error(fields, message) {
      writerOf(fields).error(fields, message);
      destination.flush?.();
    },
  };
}

/** Whether nothing in it can be under the name of a secret. */
function isPlain(fields: object): boolean {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "object" && value !== null) return false;
    if (SECRET_NAMES.has(name)) return false;
  }
  return true;
}
