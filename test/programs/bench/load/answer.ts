import { type Calls, play } from "./play.ts";
import type { LoadReply, LoadRequest, Played, Work } from "./work.ts";

/** Plays what the parent of this process sends, until that ends. */
export function answerRequests(open: (work: Work) => Promise<Calls>): void {
  const opened = new Map<number, Calls>();

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
}
