/** Decodes percent-encoded UTF-8. Null: it is malformed, or not UTF-8. */
export function percentDecode(text: string): string | null {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/**
 * The same, except that `%2F` stays as it is: in a value of several segments it
 * would become one of the slashes between them (google/api/http.proto).
 */
export function percentDecodeExceptSlash(text: string): string | null {
  return percentDecode(text.replaceAll(/%(2f)/gi, "%25$1"));
}
