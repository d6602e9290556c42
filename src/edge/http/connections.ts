import type { Socket } from "node:net";
import { networkOf } from "./remote-address.ts";

export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Of each remote address, or network of IPv6; null: one may have them all. */
  readonly maxConnectionsPerAddress: number | null;
}

/** Both ends of a connection, which what is encrypted inside of it has too. */
type Ends = Pick<Socket, "remoteAddress" | "remotePort" | "localAddress" | "localPort">;

interface Connection {
  readonly socket: Socket;
  readonly name: string;
  readonly address: string;
  requests: number;
}

/** What an address holds; forgotten when that is nothing. */
interface Share {
  open: number;
  /** Idle longest first. */
  readonly idle: Set<Connection>;
}

/**
 * The connections of a port. Past a limit, that one makes room on which no request has been
 * in flight for longest: it is ended, rather than the newest caller refused.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #open = new Set<Connection>();
  readonly #byName = new Map<string, Connection>();
  /** Idle longest first. */
  readonly #idle = new Set<Connection>();
  readonly #shares = new Map<string, Share>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Takes a connection in. False where it was ended, since all the others are in use. */
  admit(socket: Socket): boolean {
    const address = networkOf(socket.remoteAddress);
    if (!this.#makeRoom(address)) {
      socket.destroy();
      return false;
    }
    const connection = { socket, name: nameOf(socket), address, requests: 0 };
    this.#open.add(connection);
    this.#byName.set(connection.name, connection);
    const share = this.#shares.get(address) ?? { open: 0, idle: new Set() };
    this.#shares.set(address, share);
    share.open++;
    this.#setIdle(connection);
    socket.once("close", () => this.#remove(connection));
    return true;
  }

  /**
   * A request came by a connection, or by what is encrypted inside of it. Returns the
   * function that says, once, that it is over.
   */
  began(ends: Ends): () => void {
    const connection = this.#byName.get(nameOf(ends));
    // It is closed already, and its request has yet to learn that.
    if (connection === undefined) return () => {};
    connection.requests++;
    this.#idle.delete(connection);
    this.#shares.get(connection.address)?.idle.delete(connection);
    return () => {
      connection.requests--;
      if (connection.requests === 0 && this.#open.has(connection)) this.#setIdle(connection);
    };
  }

  destroyAll(): void {
    for (const { socket } of this.#open) socket.destroy();
  }

  #makeRoom(address: string): boolean {
    const { maxConnections, maxConnectionsPerAddress } = this.#limits;
    const share = this.#shares.get(address);
    const isShareFull =
      share !== undefined &&
      maxConnectionsPerAddress !== null &&
      share.open >= maxConnectionsPerAddress;
    if (isShareFull && !this.#endFirst(share.idle)) return false;
    return this.#open.size < maxConnections || this.#endFirst(this.#idle);
  }

  #endFirst(idle: ReadonlySet<Connection>): boolean {
    const [longestIdle] = idle;
    if (longestIdle === undefined) return false;
    this.#remove(longestIdle);
    longestIdle.socket.destroy();
    return true;
  }

  #setIdle(connection: Connection): void {
    this.#idle.add(connection);
    this.#shares.get(connection.address)?.idle.add(connection);
  }

  #remove(connection: Connection): void {
    if (!this.#open.delete(connection)) return;
    const { name, address } = connection;
    if (this.#byName.get(name) === connection) this.#byName.delete(name);
    this.#idle.delete(connection);
    const share = this.#shares.get(address);
    if (share === undefined) return;
    share.idle.delete(connection);
    share.open--;
    if (share.open === 0) this.#shares.delete(address);
  }
}

function nameOf({ remoteAddress, remotePort, localAddress, localPort }: Ends): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
