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

export function openHttpCalls({ url, key, requests }: HttpWork): Calls {
  const sender = openHttpSender(url, { authorization: `Bearer ${key}` });
  const prepared = requests.map(({ method, path, body }) => ({
    method,
    path,
    body: body === undefined ? null : JSON.stringify(body),
  }));
  return {
    call: (index) => {
      const { method, path, body } = prepared[index % prepared.length] ?? NOTHING;
      return sender.send(method, path, body);
    },
    close: () => sender.close(),
  };
}

const NOTHING = { method: "GET", path: "/", body: null };
