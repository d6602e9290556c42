/** Pictures of 20 by 20, beside a name: who listens is told that alone. */
const PATHS = {
  tenants: "M10 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 17c0-3 2.5-5 6-5s6 2 6 5",
  log: "M5 4h10v12H5zM8 8h4M8 11h4",
  memories: "M4 5h12M4 10h12M4 15h7",
  ask: "M4 4h12v9H9l-4 3v-3H4z",
  review: "M4 10l4 4 8-9",
  keys: "M12 4a4 4 0 1 1-2.8 6.8L4 16v-3h2v-2h2M13 7h.01",
  usage: "M4 16V10M10 16V4M16 16v-8",
  back: "M12 5l-5 5 5 5",
} as const;

export function Icon({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The logo of the dashboard. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M8 11h9M8 16h16M13 21h11" />
    </svg>
  );
}
