import { connect, createServer, type Socket } from "node:net";

/** A proxy in front of a port, which can cut its connections or hold what goes through them. */
export interface FaultProxy {
  readonly port: number;
  /** Closes every connection; new ones are passed on. */
  cut(): void;
  /** Nothing passes, in either direction, until `release`; nothing is lost either. */
  hold(): void;
  release(): void;
  close(): Promise<void>;
}

export async function startProxy(targetPort: () => number): Promise<FaultProxy> {
  const sockets = new Set<Socket>();
  let isHolding = false;
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: targetPort(), host: "127.0.0.1", noDelay: true });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("data", (data) => void to.write(data));
      from.on("end", () => to.end());
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      if (isHolding) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("unreachable: it listens");
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address.port,
    cut,
    hold: () => {
      isHolding = true;
      for (const socket of sockets) socket.pause();
    },
    release: () => {
      isHolding = false;
      for (const socket of sockets) socket.resume();
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}
