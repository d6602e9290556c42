/** How many inputs each property sees. Raise it for a longer search: 10,000 take an hour. */
export const RUNS = 60;
