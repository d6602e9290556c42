import { signal } from "@preact/signals";

/** Whether its session has ended while the page was open. */
export const isSignedOut = signal(false);

/** The account that is signed in, by its company_id; null: none; undefined: not known yet. */
export const account = signal<string | null | undefined>(undefined);
