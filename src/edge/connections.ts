import type { Server, Socket } from "node:net";
import type { TLSSocket } from "node:tls";

/** The connections of a listener that serves several protocols on one port. */
export interface Connections {
  /** Ends those that have not yet said which protocol they speak. */
  destroySilent(): void;
  destroyAll(): void;
}

/**
 * Tracks a server's connections, and ends those that don't say within
 * `helloTimeoutMs` which protocol they speak: until then no other timeout of
 * HTTP, HTTP/2 or TLS applies to them.
 *
 * The server emits `connection` for each accepted socket, and each server inside
 * it does so again for a socket whose protocol it speaks.
 */
export function trackConnections(server: Server, helloTimeoutMs: number): Connections {
  const open = new Set<Socket>();
  const silent = new Map<Socket, NodeJS.Timeout>();
  const recognised = new WeakSet<Socket>();

  function add(socket: Socket): void {
    if (open.has(socket)) return;
    open.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      stopWaiting(socket);
    });
  }

  function awaitHello(socket: Socket): void {
    if (recognised.has(socket)) return;
    silent.set(socket, setTimeout(() => socket.destroy(), helloTimeoutMs).unref());
  }

  function stopWaiting(socket: Socket): void {
    clearTimeout(silent.get(socket));
    silent.delete(socket);
  }

  server.on("connection", function (this: unknown, socket: Socket) {
    add(socket);
    if (this === server) awaitHello(socket);
    else {
      recognised.add(socket);
      stopWaiting(socket);
    }
  });
  // Inside TLS the question is open again, unless ALPN has answered it.
  server.on("secureConnection", (socket: TLSSocket) => {
    add(socket);
    awaitHello(socket);
  });

  return {
    destroySilent: () => {
      for (const socket of silent.keys()) socket.destroy();
    },
    destroyAll: () => {
      for (const socket of open) socket.destroy();
    },
  };
}
