import type { Embedder } from "../providers/embedder.ts";
import type { ReportUsage } from "../providers/model-call.ts";

/** The vector of one text. */
export async function embedOne(
  embedder: Embedder,
  text: string,
  purpose: "document" | "query",
  signal: AbortSignal,
  report: ReportUsage,
): Promise<number[]> {
  const [vector] = await embedder.embed([text], purpose, signal, report);
  if (vector === undefined) throw new Error("the embedder returned no vector for a text");
  return vector;
}
