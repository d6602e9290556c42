import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api } from "../../api.ts";

/** Decisions that wait for a verdict; null: it is not known yet. */
export const openCount = signal<number | null>(null);

export async function countOpen(): Promise<void> {
  openCount.value = (await api.review.getRecord({})).openCount;
}

/** How many decisions wait, beside the page's name in the menu. */
export function OpenCount() {
  useEffect(() => {
    countOpen().catch(() => {});
  }, []);
  if (!openCount.value) return null;
  return (
    <span class="count">
      {openCount.value.toLocaleString()}
      <span class="unseen"> open</span>
    </span>
  );
}
