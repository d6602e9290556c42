/** The target of an HTTP request: still percent-encoded, without `?` and fragment. */
export interface RequestTarget {
  readonly path: string;
  readonly query: string;
}

/**
 * Splits what Node calls `req.url`. Clients of a proxy write the absolute form,
 * `http://host/path` (RFC 9112, section 3.2.2); its authority is dropped.
 */
export function parseRequestTarget(url: string): RequestTarget {
  const withoutFragment = cut(url, "#")[0];
  const [beforeQuery, query] = cut(withoutFragment, "?");
  const path = beforeQuery.replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/]*/, "");
  return { path, query };
}

function cut(text: string, separator: string): [before: string, after: string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}
