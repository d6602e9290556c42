/**
 * As much of a text as an embedding model is sent. The smallest window among the
 * models we name is some 8,000 bytes of English; and since a token is at least a
 * byte, no text of any script is longer than the 8,191 tokens that OpenAI takes.
 */
export const MAX_EMBEDDED_BYTES = 8_000;

/** Gemini's limit, and plenty for others. */
export const MAX_BATCH_TEXTS = 100;
/** OpenAI's limit is 300,000 tokens. */
export const MAX_BATCH_BYTES = 300_000;

/** The texts in order, each cut to what a model reads, in batches that one request may hold. */
export function embeddingBatches(texts: readonly string[]): string[][] {
  const batches: string[][] = [];
  let batch: string[] = [];
  let batchBytes = 0;
  for (const text of texts.map(cutToWindow)) {
    const bytes = Buffer.byteLength(text);
    if (batch.length === MAX_BATCH_TEXTS || batchBytes + bytes > MAX_BATCH_BYTES) {
      batches.push(batch);
      batch = [];
      batchBytes = 0;
    }
    batch.push(text);
    batchBytes += bytes;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

function cutToWindow(text: string): string {
  if (Buffer.byteLength(text) <= MAX_EMBEDDED_BYTES) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_EMBEDDED_BYTES));
  return text.slice(0, read);
}
