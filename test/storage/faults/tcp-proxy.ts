import { connect, createServer, type Socket } from "node:net";

/** First bytes of Postgres's messages Query and Parse. */
const STATEMENT_TYPES = [...Buffer.from("QP")];

/** A proxy in front of a server, which can misbehave as networks do. */
export interface TcpProxy {
  readonly port: number;
  /** From now on takes every byte and passes none on, in both directions. */
  blackHole(): void;
  /** From now on lets clients connect and passes none of their statements on. */
  swallowStatements(): void;
  /** Passes the next such statement on, and closes its connection in the place of an answer. */
  loseAnswerTo(statement: RegExp): void;
  /** Closes every connection, and each new one at once. */
  refuse(): void;
  /** Closes every connection, and passes new ones on again. */
  reset(): void;
  /** Closes every connection, and refuses new ones. */
  close(): Promise<void>;
}

export async function startTcpProxy(host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isBlackHole = false;
  let isSwallowing = false;
  let isRefusing = false;
  let losing: RegExp | null = null;
  const server = createServer((client) => {
    if (isRefusing) {
      client.destroy();
      return;
    }
    let isLost = false;
    const upstream = connect(port, host);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("data", (data) => {
        if (from === client && losing?.test(data.toString("latin1"))) {
          losing = null;
          isLost = true;
        } else if (from === upstream && isLost) {
          client.destroy();
          return;
        }
        const isStatement = from === client && STATEMENT_TYPES.includes(data[0] ?? 0);
        if (!isBlackHole && !(isSwallowing && isStatement)) to.write(data);
      });
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
    swallowStatements: () => {
      isSwallowing = true;
    },
    loseAnswerTo: (statement) => {
      losing = statement;
    },
    refuse: () => {
      isRefusing = true;
      closeSockets();
    },
    reset: () => {
      isBlackHole = false;
      isSwallowing = false;
      isRefusing = false;
      losing = null;
      closeSockets();
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      closeSockets();
      await closed;
    },
  };
}
