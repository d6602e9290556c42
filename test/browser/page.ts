import {
  type AgentMemoryClient,
  AgentMemoryError,
  createClient,
  type TransportName,
} from "agent-memory/client/browser";

/** What a script of a web page does with the client, for the test that drives the browser. */
declare global {
  var useClient: (options: PageOptions) => Promise<PageResult>;
}

export interface PageOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly transport: TransportName;
}

export interface PageResult {
  readonly answer: string;
  readonly cited: number;
  readonly planTier: string;
  readonly refusal: Pick<AgentMemoryError, "reason" | "field" | "requestId"> | null;
}

globalThis.useClient = async (options) => {
  const client = createClient({ ...options, maxAttempts: 1 });
  await client.memories.createMemories({ content: "Alice lives in Berlin" });
  const { answer, citations } = await client.memories.queryMemories({
    question: "Where does Alice live?",
  });
  const { planTier } = await client.plan.getPlanStatus({});
  return { answer, cited: citations.length, planTier, refusal: await refusalOf(client) };
};

async function refusalOf({ memories }: AgentMemoryClient): Promise<PageResult["refusal"]> {
  try {
    await memories.listMemories({ limit: 0 });
    return null;
  } catch (error) {
    if (!(error instanceof AgentMemoryError)) throw error;
    const { reason, field, requestId } = error;
    return { reason, field, requestId };
  }
}
