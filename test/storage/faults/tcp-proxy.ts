import { connect, createServer, type Socket } from "node:net";

/** A proxy in front of a server, which can misbehave as networks do. */
export interface TcpProxy {
  readonly port: number;
  /** From now on takes every byte and passes none on, in both directions. */
  blackHole(): void;
  /** Closes every connection, and passes new ones on again. */
  reset(): void;
  /** Closes every connection, and refuses new ones. */
  close(): Promise<void>;
}

export async function startTcpProxy(host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isBlackHole = false;
  const server = createServer((client) => {
    const upstream = connect(port, host);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("data", (data) => isBlackHole || to.write(data));
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("unreachable: it listens");
  const closeSockets = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address.port,
    blackHole: () => {
      isBlackHole = true;
    },
    reset: () => {
      isBlackHole = false;
      closeSockets();
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      closeSockets();
      await closed;
    },
  };
}
