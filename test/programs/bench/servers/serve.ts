import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** The half of `startServer` in the process that serves; it ends with its parent. */
export async function serve<Setup>(
  start: (setup: Setup) => Promise<{ readonly port: number }>,
): Promise<void> {
  process.on("disconnect", () => process.exit());
  const [{ setup }] = await once(process, "message");
  process.send?.(await start(setup));
}

export async function listen(server: Server): Promise<{ readonly port: number }> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { port: (server.address() as AddressInfo).port };
}

export async function bodyOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
