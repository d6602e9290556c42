/** `agent-memory/openai-agents`: memory for the OpenAI Agents SDK. */
import type { AgentInputItem, Session, SessionInputCallback } from "@openai/agents-core";
import type { AgentMemoryClient } from "../client.ts";
import { createTurns, type Said, type TurnOptions } from "./turns.ts";

export type { TurnOptions } from "./turns.ts";

/** The options of `run` that give it a memory. */
export interface RememberingRun {
  readonly session: Session;
  readonly sessionInputCallback: SessionInputCallback;
}

/**
 * Options for `run(agent, input, withMemory(client, session))`: what is known is told the model
 * before the turn, and what the user and the agent said becomes memories. `session` goes on
 * keeping the items of its conversation; nothing that was recalled gets into it.
 */
export function withMemory(
  client: Pick<AgentMemoryClient, "memories">,
  session: Session,
  options?: TurnOptions,
): RememberingRun {
  const turns = createTurns(client, options);
  let told: readonly string[] = [];
  const isTold = (item: AgentInputItem) =>
    "role" in item && item.role === "system" && told.includes(item.content);
  const remembering: Session = {
    getSessionId: () => session.getSessionId(),
    getItems: (limit) => session.getItems(limit),
    popItem: () => session.popItem(),
    clearSession: () => session.clearSession(),
    async addItems(items) {
      const own = items.filter((item) => !isTold(item));
      await session.addItems(own);
      await turns.record(own.flatMap(saidIn));
    },
  };
  return {
    session: remembering,
    async sessionInputCallback(history, asked) {
      const question = asked.flatMap(saidIn).findLast(({ role }) => role === "user");
      const recalled = question === undefined ? null : await turns.recall(question.content);
      const { stable = "", relevant = "" } = recalled ?? {};
      told = [stable, relevant].filter((text) => text !== "");
      return [...systemItem(stable), ...history, ...systemItem(relevant), ...asked];
    },
  };
}

function systemItem(content: string): AgentInputItem[] {
  return content === "" ? [] : [{ type: "message", role: "system", content }];
}

function saidIn(item: AgentInputItem): Said[] {
  if (!("role" in item) || item.role === "system") return [];
  const { role, content } = item;
  if (typeof content === "string") return [{ role, content }];
  const texts = content.map((part) => ("text" in part ? part.text : ""));
  return [{ role, content: texts.join("\n") }];
}
