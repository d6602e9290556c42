/**
 * The process that the load comes from: what it computes is not the service's. It is
 * forked, and plays what it is sent.
 */
import { type Calls, play } from "./play.ts";
import type { LoadReply, LoadRequest, Played, Work } from "./work.ts";

const opened = new Map<number, Calls>();

async function open(work: Work): Promise<Calls> {
  switch (work.kind) {
    case "service":
      return (await import("./service-calls.ts")).openServiceCalls(work);
    case "http":
      return (await import("./http-calls.ts")).openHttpCalls(work);
    case "grpc-echo":
      return (await import("./echo-calls.ts")).openEchoCalls(work);
    case "sql":
      return (await import("./sql-calls.ts")).openSqlCalls(work);
  }
}

async function answer(request: LoadRequest): Promise<Played | null> {
  const calls = opened.get(request.handle);
  switch (request.do) {
    case "open":
      opened.set(request.handle, await open(request.work));
      return null;
    case "run":
      if (calls === undefined) throw new Error("This work was not opened");
      return await play(calls, request.round);
    case "close":
      opened.delete(request.handle);
      await calls?.close();
      return null;
  }
}

process.on("message", async (request: LoadRequest) => {
  const { id } = request;
  const reply: LoadReply = await answer(request).then(
    (played) => ({ id, played }),
    (error: unknown) => ({ id, error: String(error) }),
  );
  process.send?.(reply);
});
process.on("disconnect", () => process.exit());
