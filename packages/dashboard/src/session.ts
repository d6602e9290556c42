import { signal } from "@preact/signals";

/** The account that is signed in, by its company_id; null: none; undefined: not known yet. */
export const account = signal<string | null | undefined>(undefined);
