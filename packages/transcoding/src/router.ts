import { RestError } from "./rest-error.ts";
import { type Route, routeIdentity } from "./route.ts";

/**
 * Splits what Node calls `req.url`. Clients of a proxy write the absolute form,
 * `http://host/path` (RFC 9112, section 3.2.2); its authority is dropped. Both parts are still
 * percent-encoded, without `?` and fragment.
 */
export function parseRequestTarget(url: string) {
  const [beforeQuery, query] = cut(cut(url, "#")[0], "?");
  const path = beforeQuery.replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/]*/, "");
  return { path, query };
}

/** Throws when two routes answer the same requests. */
export function createRouter<Target extends { readonly route: Route }>(targets: Iterable<Target>) {
  const all = [...targets].sort(({ route: one }, { route: other }) =>
    precedenceOf(one).localeCompare(precedenceOf(other)),
  );
  const identities = new Set<string>();
  for (const { route } of all) {
    const identity = routeIdentity(route);
    if (identities.has(identity)) {
      throw new Error(`Two routes answer ${route.httpMethod} ${route.template}`);
    }
    identities.add(identity);
  }
  // A request is compared with the routes of its length alone.
  const byLength = Map.groupBy(all, ({ route }) => route.segments.length);

  return {
    /**
     * Finds the target of a request, and the segments of its path: raw, without the verb.
     * Literals win over variables, from the left to the right, and a verb over a value that ends
     * like one. An empty segment matches nothing: neither `/a/` nor `/a//b` is ever found.
     *
     * Throws a RestError: `path_not_found`, or `method_not_allowed` when the path is
     * known with other methods.
     */
    find(httpMethod: string, path: string) {
      const allow = new Set<string>();
      const segments = splitPath(path);
      for (const { verb, rest } of segments === null ? [] : readings(segments)) {
        const literals = rest.map(percentDecode);
        for (const target of byLength.get(rest.length) ?? []) {
          const { route } = target;
          if (route.verb !== verb || !matches(route, literals)) continue;
          if (route.httpMethod === httpMethod) return { target, segments: rest };
          allow.add(route.httpMethod);
        }
      }
      if (allow.size === 0) throw new RestError({ kind: "path_not_found" });
      throw new RestError({ kind: "method_not_allowed", allow: [...allow].sort() });
    },
  };
}

/** Texts in the order of their routes, of one length: a literal stands before a variable. */
function precedenceOf({ segments }: Route): string {
  return segments.map((segment) => ("literal" in segment ? "a" : "b")).join("");
}

function matches({ segments }: Route, literals: readonly (string | null)[]): boolean {
  return segments.every(
    (segment, index) => !("literal" in segment) || segment.literal === literals[index],
  );
}

/** Null: it has an empty segment, or does not begin with a slash. */
function splitPath(path: string): string[] | null {
  if (path === "/") return [];
  const [beforeSlash, ...segments] = path.split("/");
  return beforeSlash === "" && !segments.includes("") && segments.length > 0 ? segments : null;
}

/** A path with its verb taken off, and as it stands: that first where the colon is percent-encoded. */
function readings(segments: readonly string[]) {
  const last = segments.at(-1) ?? "";
  const [, before = "", colon, after = ""] = /^(.+)(:|%3A)(.*)$/i.exec(last) ?? [];
  const verb = percentDecode(after);
  const plain = { verb: null, rest: segments };
  if (colon === undefined || verb === null) return [plain];
  const split = { verb, rest: [...segments.slice(0, -1), before] };
  return colon === ":" ? [split, plain] : [plain, split];
}

/** Decodes percent-encoded UTF-8. Null: it is malformed, or not UTF-8. */
export function percentDecode(text: string): string | null {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** A text before and behind the first separator, or the whole and nothing. */
export function cut(text: string, separator: string): [before: string, after: string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}
