/** undefined: it is no JSON. */
export function jsonIn(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
