import { createReadStream } from "node:fs";
import { text } from "node:stream/consumers";
import { createTurns, type Said } from "../frameworks/turns.ts";
import { jsonIn } from "../json-text.ts";
import { linesOf } from "../transfer/lines.ts";
import { clientIn, type Environment, UsageError } from "./environment.ts";

/** An event of a coding agent, as its host writes it to a hook. */
interface HookEvent {
  readonly hook_event_name?: string;
  readonly session_id?: string;
  readonly prompt?: string;
  readonly transcript_path?: string;
  /** Whether the agent goes on because of a hook: its turn was captured before. */
  readonly stop_hook_active?: boolean;
}

const MAX_EVENT_CHARACTERS = 1024 * 1024;
/** Below the time that hosts wait for a hook. */
const TIMEOUT_MS = 8_000;

/**
 * A hook of a coding agent. `recall` answers a prompt with what has to do with it, and the start
 * of a session with the profile; `capture` records the turn that ended. An agent never fails
 * for its memory: what goes wrong is a line of standard error.
 */
export async function runHook(
  what: string,
  env: Environment,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<void> {
  if (what !== "recall" && what !== "capture") throw new UsageError("hooks are recall and capture");
  try {
    const written = await text(input);
    const event: HookEvent | null = written.length > MAX_EVENT_CHARACTERS ? null : jsonIn(written);
    if (!event) throw new UsageError("the event must be JSON of at most 1 MiB");
    await (what === "recall" ? recall(env, event, output) : capture(env, event));
  } catch (error) {
    console.error(`agent-memory: ${error instanceof Error ? error.message : error}`);
  }
}

async function recall(env: Environment, event: HookEvent, output: NodeJS.WritableStream) {
  if (env.AGENT_MEMORY_RECALL === "off") return;
  const tokens = Number(env.AGENT_MEMORY_RECALL_TOKENS ?? 1_000);
  if (Number.isNaN(tokens)) throw new UsageError("AGENT_MEMORY_RECALL_TOKENS must be a number");
  const client = clientIn(env);
  const { hook_event_name: hookEventName, prompt } = event;
  const tenantId = env.AGENT_MEMORY_TENANT;
  let additionalContext: string | undefined;
  if (hookEventName === "SessionStart") {
    const request = { tenantId, maxTokens: tokens };
    additionalContext = (await client.memories.getProfile(request, { timeoutMs: TIMEOUT_MS })).text;
  } else if (prompt !== undefined) {
    const turns = createTurns(client, { tenantId, recall: tokens, timeoutMs: TIMEOUT_MS });
    additionalContext = (await turns.recall(prompt))?.relevant;
  }
  client.close();
  if (additionalContext === undefined || additionalContext === "") return;
  output.write(JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext } }));
}

async function capture(env: Environment, event: HookEvent) {
  const { transcript_path: path, session_id: sessionId, stop_hook_active: isCaptured } = event;
  if (env.AGENT_MEMORY_CAPTURE === "off" || path === undefined || isCaptured === true) return;
  const client = clientIn(env);
  const of = { tenantId: env.AGENT_MEMORY_TENANT, sessionId, source: "coding-agent" };
  const turns = createTurns(client, { ...of, timeoutMs: TIMEOUT_MS });
  await turns.record(await lastTurn(path));
  client.close();
}

/** How a host says, as the user, that a turn was ended. No hook runs then. */
const INTERRUPTED = "[Request interrupted by user";
/** What a host puts beside the words of a user; what they wrote behind a command is theirs. */
const OF_THE_HOST = /<(?!command-args>)([a-z]+-[a-z-]+)>[\s\S]*?<\/\1>/g;

/** The words since the user's last ones; of turns that were interrupted, with those before. */
async function lastTurn(path: string): Promise<Said[]> {
  let said: Said[] = [];
  let isInterrupted = false;
  for await (const line of linesOf(createReadStream(path))) {
    for (const each of saidIn(line.toString())) {
      const isMark = each.content.startsWith(INTERRUPTED);
      if (each.role === "user") {
        if (!isMark && !isInterrupted) said = [];
        isInterrupted = isMark;
      }
      if (!isMark) said.push(each);
    }
  }
  return said;
}

/** The words in a line, without the input and output of tools. */
function saidIn(line: string): Said[] {
  // The host may still be writing the last line.
  const { type, isMeta, isSidechain, isCompactSummary, message } = jsonIn(line) ?? {};
  if (type !== "user" && type !== "assistant") return [];
  if (isMeta || isSidechain || isCompactSummary) return [];
  const parts: readonly { readonly type?: string; readonly text?: string }[] =
    typeof message?.content === "string"
      ? [{ type: "text", text: message.content }]
      : [message?.content ?? []].flat();
  const texts = parts.flatMap((part) => (part.type === "text" && part.text ? [part.text] : []));
  const content = texts.join("\n").replaceAll(OF_THE_HOST, "").trim();
  return content === "" ? [] : [{ role: type, content }];
}
