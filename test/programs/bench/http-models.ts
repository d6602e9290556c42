import { DIMENSIONS, MODEL, MODEL_KEY } from "./peers/peer.ts";
import { startServer } from "./servers/serving.ts";

/** Where the models of a service are: in its process, or those of a vendor, on loopback. */
export type ModelsPlace = "local" | "http";

export interface HttpModels {
  /** Variables of a service whose models they are. */
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Models of every kind in the format of OpenAI. */
export async function startHttpModels(): Promise<HttpModels> {
  const { url, close } = await startServer("models.ts", null);
  return {
    variables: {
      CHAT_PROVIDER: "openai",
      CHAT_MODEL: MODEL,
      EMBEDDING_PROVIDER: "openai",
      EMBEDDING_MODEL: MODEL,
      EMBEDDING_DIMENSIONS: String(DIMENSIONS),
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: MODEL_KEY,
    },
    close,
  };
}
