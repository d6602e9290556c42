import { useState } from "preact/hooks";
import { sentenceOf } from "../api.ts";
import { Failed } from "./notice.tsx";

/** What a person has begun: whether it runs, and the notice why it failed. */
export function useWork() {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  /** Resolves with whether it was done. */
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setProblem(null);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(sentenceOf(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, run, notice: problem !== null && <Failed>{problem}</Failed> };
}
