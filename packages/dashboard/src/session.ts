import { signal } from "@preact/signals";

/** Who is signed in: a company_id; null: nobody; undefined: that is not known yet. */
export const account = signal<string | null | undefined>(undefined);
