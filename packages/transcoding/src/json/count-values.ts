const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const LIST = 0x5b;
const OBJECT = 0x7b;

/**
 * Whether JSON text in UTF-8 may hold more than `maxValues` values: what a few bytes each
 * can cost much more to read. Counts what values begin with or follow, commas and opening
 * brackets, so that none is missed; an empty list or object counts twice.
 */
export function holdsMoreValues(bytes: Uint8Array, maxValues: number): boolean {
  let count = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length && count <= maxValues; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString) {
      if (byte === BACKSLASH) at++;
    } else if (byte === COMMA || byte === LIST || byte === OBJECT) count++;
  }
  return count > maxValues;
}
