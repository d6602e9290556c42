import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useLayoutEffect, useState } from "preact/hooks";
import { isAway, isUnreached, sentenceOf } from "../api.ts";
import { restoreTop } from "../route.ts";
import { Button, Failed } from "./page.tsx";

export interface Loaded<T> {
  /** null: nothing has come yet of these inputs. While it is loaded again it stays. */
  readonly value: T | null;
  /** A sentence; null: it did not fail, or only did not reach the service. */
  readonly problem: string | null;
  readonly isLoading: boolean;
  reload(): void;
}

/** What came of the inputs that it names. */
interface Outcome<T> extends Omit<Loaded<T>, "reload"> {
  readonly inputs: readonly unknown[];
  /** Whether the service was not reached: it is loaded again once it is. */
  readonly isCut: boolean;
}

/** Loads when it is first shown and when `inputs` change; what is not waited for any more is ended. */
export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Loaded<T> {
  const begun: Outcome<T> = { inputs, value: null, problem: null, isCut: false, isLoading: true };
  const [state, setState] = useState(begun);
  const [times, setTimes] = useState(0);
  const isOf = (outcome: Outcome<T>) => outcome.inputs.every((each, at) => each === inputs[at]);
  const reload = useCallback(() => setTimes((before) => before + 1), []);
  useEffect(() => {
    // What happened meanwhile is shown to who comes back.
    const look = () => document.hidden || reload();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  useEffect(() => {
    const left = new AbortController();
    setState((before) => (isOf(before) ? { ...before, isLoading: true } : begun));
    load(left.signal).then(
      (value) => left.signal.aborted || setState({ ...begun, value, isLoading: false }),
      (error: unknown) => {
        if (left.signal.aborted) return;
        const isCut = isUnreached(error);
        const problem = isCut ? null : sentenceOf(error);
        setState((before) => ({ ...before, problem, isCut, isLoading: false }));
      },
    );
    return () => left.abort();
  }, [...inputs, times]);
  useAgain(state.isCut, reload);
  // What came of other inputs is not shown for a moment either.
  const { value, problem, isLoading } = isOf(state) ? state : begun;
  return { value, problem, isLoading, reload };
}

/** Does again what was cut off, once the service is reached. */
export function useAgain(isCut: boolean, again: () => void): void {
  const mayGoOn = isCut && !isAway.value;
  useEffect(() => {
    if (mayGoOn) again();
  }, [mayGoOn]);
}

export function TryAgain({ problem, onClick }: { problem: string; onClick: () => void }) {
  return (
    <Failed>
      {problem} <Button onClick={onClick}>Try again</Button>
    </Failed>
  );
}

interface ShowProps<T> {
  readonly of: Loaded<T>;
  readonly children: (value: T) => ComponentChildren;
}

/** Shows what was loaded, or why it was not. */
export function Show<T>({ of: { value, problem, isLoading, reload }, children }: ShowProps<T>) {
  useLayoutEffect(restoreTop, [value]);
  return (
    <div aria-busy={isLoading} class="loaded">
      {problem !== null && <TryAgain problem={problem} onClick={reload} />}
      {value === null && problem === null && <div class="skeleton" aria-hidden="true" />}
      {value !== null && children(value)}
    </div>
  );
}

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
  /** What sends a form: it does the work. */
  const sending = (work: () => Promise<unknown>) => (event: Event) => {
    event.preventDefault();
    void run(work);
  };
  return { isBusy, run, sending, notice: problem !== null && <Failed>{problem}</Failed> };
}
