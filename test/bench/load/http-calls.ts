import { Pool } from "undici";
import type { Calls } from "./play.ts";
import type { HttpWork } from "./work.ts";

/** More than there are ever clients. */
const MAX_CONNECTIONS = 64;

/** HTTP/1.1 with as many connections as there are calls at a time. */
export interface HttpSender {
  /** Reads the whole answer. Rejects unless its status is 200. */
  send(method: string, path: string, body: string | null): Promise<void>;
  close(): Promise<void>;
}

export function openHttpSender(url: string, headers: Record<string, string>): HttpSender {
  const { origin } = new URL(url);
  const pool = new Pool(origin, { connections: MAX_CONNECTIONS });
  return {
    async send(method, path, body) {
      const answer = await pool.request({
        method: method as "GET" | "POST",
        path,
        headers: body === null ? headers : { ...headers, "content-type": "application/json" },
        body,
      });
      if (answer.statusCode === 200) {
        await answer.body.arrayBuffer();
        return;
      }
      throw new Error(`${answer.statusCode}: ${(await answer.body.text()).slice(0, 300)}`);
    },
    close: () => pool.close(),
  };
}

export function openHttpCalls({ url, key, bodies }: HttpWork): Calls {
  const sender = openHttpSender(url, { authorization: `Bearer ${key}` });
  const { pathname } = new URL(url);
  return {
    call: (index) => sender.send("POST", pathname, bodies[index % bodies.length] ?? ""),
    close: () => sender.close(),
  };
}
