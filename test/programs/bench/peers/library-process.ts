/** A peer as a library: what calls it, and it itself, in one process. */

import { answerRequests } from "../load/answer.ts";
import type { Calls } from "../load/play.ts";
import { openPeer, type Peer } from "./peer.ts";

let opened: Promise<Peer> | null = null;

answerRequests(async (work): Promise<Calls> => {
  if (work.kind !== "peer") throw new Error("This process has a library only");
  const { setup, what } = work;
  opened ??= openPeer(setup);
  const peer = await opened;
  const at = <T>(list: readonly T[], index: number): T => {
    const found = list[index % list.length];
    if (found === undefined) throw new Error("There is nothing to do");
    return found;
  };
  const close = () => {};
  switch (what.do) {
    case "add":
      return { call: (index) => peer.add(at(what.turns, index)), close };
    case "add many":
      return { call: (index) => peer.addMany(at(what.batches, index)), close };
    case "search":
      return {
        call: async (index) =>
          void (await peer.search(at(what.questions, index), what.limit, false)),
        close,
      };
  }
});
