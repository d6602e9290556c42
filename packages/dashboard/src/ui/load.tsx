import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { sentenceOf } from "../api.ts";
import { Failed } from "./notice.tsx";

/** A value that is loaded from the service. */
export interface Loaded<T> {
  /** null: nothing has come yet. While something is loaded again it stays. */
  readonly value: T | null;
  /** A sentence; null: it did not fail. */
  readonly problem: string | null;
  readonly isLoading: boolean;
  reload(): void;
}

/** Loads when it is first shown and when `inputs` change; what is not waited for any more is ended. */
export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Loaded<T> {
  const [state, setState] = useState({
    value: null as T | null,
    problem: null as string | null,
    isLoading: true,
  });
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const left = new AbortController();
    setState((before) => ({ ...before, isLoading: true }));
    load(left.signal).then(
      (value) => left.signal.aborted || setState({ value, problem: null, isLoading: false }),
      (error: unknown) => {
        if (left.signal.aborted) return;
        setState((before) => ({ ...before, problem: sentenceOf(error), isLoading: false }));
      },
    );
    return () => left.abort();
  }, [...inputs, times]);
  const reload = useCallback(() => setTimes((before) => before + 1), []);
  return { ...state, reload };
}

interface ShowProps<T> {
  readonly of: Loaded<T>;
  readonly children: (value: T) => ComponentChildren;
}

/** Shows what was loaded, or why it was not. */
export function Show<T>({ of: { value, problem, isLoading, reload }, children }: ShowProps<T>) {
  return (
    <div aria-busy={isLoading} class="loaded">
      {problem !== null && (
        <Failed>
          {problem}{" "}
          <button type="button" onClick={reload}>
            Try again
          </button>
        </Failed>
      )}
      {value !== null && children(value)}
    </div>
  );
}
