import { signal } from "@preact/signals";

/** Whether the last call got no answer: the service is not there, or the way to it. */
export const isAway = signal(false);

/** Whether its session has ended while the page was open. */
export const isSignedOut = signal(false);

/** The account that is signed in, by its company_id; null: none; undefined: not known yet. */
export const account = signal<string | null | undefined>(undefined);
