import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { Agent, type Dispatcher } from "undici";
import { type AllowedHosts, refusedAddress } from "./allowed-hosts.ts";

/** Every address of a name, as the system's resolver gives them. */
export type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>;

/**
 * Opens connections to checked addresses only: a name is resolved once, every
 * address of it is checked, and the connection goes to one of those, so that
 * nothing can change in between. One bad address makes the name bad.
 */
export function createGuardedDispatcher(
  allowedHosts: AllowedHosts,
  resolve: ResolveHost,
): Dispatcher {
  const lookup: LookupFunction = (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        const isGood = addresses.every(({ address }) => allowedHosts.permits(host, address));
        if (first === undefined || !isGood) callback(refusedAddress(), "");
        else if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ""),
    );
  };
  return new Agent({ connect: { lookup } });
}
