import type { AdminClient } from "./admin-client.ts";

/** Where a command writes. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

/** Makes one or more calls and prints the text that comes of them. */
export type Run = (calls: (client: AdminClient) => Promise<string>) => Promise<void>;
