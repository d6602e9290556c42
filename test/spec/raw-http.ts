import { request } from "node:http";
import type { RestAnswer } from "../support/rest-client.ts";

/** A request that `fetch` would refuse to send or would correct: sent as it is. */
export function rawRequest(
  baseUrl: string,
  method: string,
  path: string,
  {
    headers = {},
    body,
  }: {
    readonly headers?: Readonly<Record<string, string | string[]>>;
    readonly body?: string;
  } = {},
): Promise<RestAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RestAnswer>();
  const { hostname: host, port } = new URL(baseUrl);
  const outgoing = request({ host, port, method, path, headers, agent: false }, (incoming) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("error", reject);
    incoming.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const answerHeaders = new Headers();
      for (const [name, value] of Object.entries(incoming.headers)) {
        answerHeaders.set(name, String(value));
      }
      resolve({
        status: incoming.statusCode ?? 0,
        headers: answerHeaders,
        body: text === "" ? null : JSON.parse(text),
      });
    });
  });
  outgoing.on("error", reject);
  outgoing.end(body);
  return promise;
}

/** As rawRequest, with a key and, where there is a body, as JSON of its length. */
export function rawJsonRequest(
  baseUrl: string,
  key: string,
  method: string,
  path: string,
  body?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RestAnswer> {
  return rawRequest(baseUrl, method, path, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && {
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(body)),
      }),
      ...headers,
    },
    body,
  });
}
