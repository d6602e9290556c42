import { isIP, type Socket } from "node:net";
import { breakOff, type NodeRequest, type NodeResponse } from "@agent-memory/transcoding/node-http";
import ipaddr from "ipaddr.js";

export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Of each remote address, or network of IPv6. Null: one may have them all. */
  readonly maxConnectionsPerAddress: number | null;
}

/** Both ends of a connection. The TLS socket inside of it has the same. */
type Ends = Pick<Socket, "remoteAddress" | "remotePort" | "localAddress" | "localPort">;

interface Connection {
  readonly socket: Socket;
  readonly name: string;
  readonly address: string;
  requests: number;
}

/** The connections of a port. Past a limit the longest idle one ends; no newcomer is refused. */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #open = new Set<Connection>();
  readonly #byName = new Map<string, Connection>();
  /** Idle longest first. */
  readonly #idle = new Set<Connection>();
  /** How many an address has open. It is forgotten when it has none. */
  readonly #perAddress = new Map<string, number>();

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
    this.#perAddress.set(address, this.#openOf(address) + 1);
    this.#idle.add(connection);
    socket.once("close", () => this.#remove(connection));
    return true;
  }

  /** A request came by these ends. The returned function says, once, that it is over. */
  began(ends: Ends): () => void {
    const connection = this.#byName.get(nameOf(ends));
    // It is closed already, and its request has yet to learn that.
    if (connection === undefined) return () => {};
    connection.requests++;
    this.#idle.delete(connection);
    return () => {
      connection.requests--;
      if (connection.requests === 0 && this.#open.has(connection)) this.#idle.add(connection);
    };
  }

  destroyAll(): void {
    for (const { socket } of this.#open) socket.destroy();
  }

  #openOf(address: string): number {
    return this.#perAddress.get(address) ?? 0;
  }

  #makeRoom(address: string): boolean {
    const { maxConnections, maxConnectionsPerAddress } = this.#limits;
    const isShareFull = this.#openOf(address) >= (maxConnectionsPerAddress ?? Infinity);
    if (isShareFull && !this.#endFirst((each) => each.address === address)) return false;
    return this.#open.size < maxConnections || this.#endFirst(() => true);
  }

  #endFirst(isMeant: (connection: Connection) => boolean): boolean {
    const longestIdle = this.#idle.values().find(isMeant);
    if (longestIdle === undefined) return false;
    this.#remove(longestIdle);
    longestIdle.socket.destroy();
    return true;
  }

  #remove(connection: Connection): void {
    if (!this.#open.delete(connection)) return;
    const { name, address } = connection;
    if (this.#byName.get(name) === connection) this.#byName.delete(name);
    this.#idle.delete(connection);
    const left = this.#openOf(address) - 1;
    if (left > 0) this.#perAddress.set(address, left);
    else this.#perAddress.delete(address);
  }
}

function nameOf({ remoteAddress, remotePort, localAddress, localPort }: Ends): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}

/** A client with one address of an IPv6 network of this length has all of them. */
const IPV6_NETWORK_BITS = 64;
const IPV6_PART_BITS = 16;

/** Stands for the address of a socket that is closed, and has none any more. */
const NOBODY = "unknown";

/**
 * The address to count by: the remote one, or the network of an IPv6 one. With `trustProxy`
 * it is the address that the proxy saw. A proxy puts it behind what the client itself may
 * have written into `X-Forwarded-For`, so only the last one is believed.
 */
export function remoteAddressOf(request: NodeRequest, trustProxy: boolean): string {
  const forwarded = trustProxy ? lastForwarded(request) : null;
  return networkOf(forwarded ?? request.socket.remoteAddress);
}

/** An address, or the network of an IPv6 one; an IPv4 address inside of IPv6 is that one. */
export function networkOf(address: string | undefined): string {
  const version = isIP(address ?? "");
  if (address === undefined || version === 0) return NOBODY;
  if (version === 4) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const parts = parsed.parts.slice(0, IPV6_NETWORK_BITS / IPV6_PART_BITS);
  return `${parts.map((part) => part.toString(16)).join(":")}::/${IPV6_NETWORK_BITS}`;
}

/** null: there is none, or it is no address. */
function lastForwarded({ headers }: NodeRequest): string | null {
  const { "x-forwarded-for": header } = headers;
  const last = [header ?? []].flat().join(",").split(",").at(-1)?.trim() ?? "";
  // Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
  const { 1: bracketed, 2: plain } = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(last) ?? [];
  const address = bracketed ?? plain ?? last;
  return isIP(address) === 0 ? null : address;
}

/** How often within the limit a response is looked at. */
const CHECKS = 10;

/**
 * Breaks a response off whose reader takes nothing for `unreadMs`, or a tenth more. It costs memory
 * until then. Time without anything to send does not count.
 */
export function watchUnread(response: NodeResponse, unreadMs: number): void {
  let checksWithoutProgress = 0;
  const timer = setInterval(() => {
    if (!isWaitingForReader(response)) checksWithoutProgress = 0;
    else if (++checksWithoutProgress > CHECKS) {
      clearInterval(timer);
      breakOff(response);
    }
  }, unreadMs / CHECKS).unref();
  // A writer of pieces waits for this event after each piece.
  response.on("drain", () => {
    checksWithoutProgress = 0;
  });
  response.once("close", () => clearInterval(timer));
}

/** Whether there is something to send, and nobody takes it. */
function isWaitingForReader(response: NodeResponse): boolean {
  const sent = "stream" in response ? response.stream : response;
  if (!sent.writableNeedDrain && !(sent.writableEnded && !sent.writableFinished)) return false;
  // Without a socket it waits for the responses before it on the same connection.
  return "stream" in response || response.socket !== null;
}
