/** What time it is for the browser: milliseconds since 1970. */
export function nowMs(): number {
  return Date.now();
}
