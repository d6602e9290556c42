import { RestError } from "./rest-error.ts";
import { type Route, routeIdentity } from "./route.ts";

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

/** The target of a request, and the segments of its path: raw, without the verb. */
export interface Match<Target> {
  readonly target: Target;
  readonly segments: readonly string[];
}

export interface Router<Target> {
  /**
   * Finds the target of a request. Literals win over variables, from the left to the
   * right, and a verb over a value that ends like one. An empty segment matches nothing:
   * neither `/a/` nor `/a//b` is ever found.
   *
   * Throws a RestError: `path_not_found`, or `method_not_allowed` when the path is
   * known with other methods.
   */
  find(httpMethod: string, path: string): Match<Target>;
}

/** The routes that share the segments that lead here. */
interface Node<Target> {
  readonly literals: Map<string, Node<Target>>;
  any: Node<Target> | undefined;
  /** By HTTP method: routes that end here. */
  readonly ends: Map<string, Target>;
}

/** Throws when two routes answer the same requests. */
export function createRouter<Target extends { readonly route: Route }>(
  targets: Iterable<Target>,
): Router<Target> {
  const roots = new Map<string | null, Node<Target>>();
  const identities = new Set<string>();
  for (const target of targets) {
    const { route } = target;
    const identity = routeIdentity(route);
    if (identities.has(identity)) {
      throw new Error(`Two routes answer ${route.httpMethod} ${route.template}`);
    }
    identities.add(identity);
    insert(nodeAt(roots, route.verb), target);
  }

  return {
    find(httpMethod, path) {
      const allow = new Set<string>();
      const segments = splitPath(path);
      if (segments !== null) {
        const { verb, withoutVerb } = splitVerb(segments);
        const root = verb === null ? undefined : roots.get(verb);
        const found = root && search(root, withoutVerb, httpMethod, allow);
        if (found !== undefined) return { target: found, segments: withoutVerb };

        const plainRoot = roots.get(null);
        const plain = plainRoot && search(plainRoot, segments, httpMethod, allow);
        if (plain !== undefined) return { target: plain, segments };
      }
      if (allow.size === 0) throw new RestError({ kind: "path_not_found" });
      throw new RestError({ kind: "method_not_allowed", allow: [...allow].sort() });
    },
  };
}

function createNode<Target>(): Node<Target> {
  return { literals: new Map(), any: undefined, ends: new Map() };
}

function nodeAt<Key, Target>(nodes: Map<Key, Node<Target>>, key: Key): Node<Target> {
  const node = nodes.get(key) ?? createNode<Target>();
  nodes.set(key, node);
  return node;
}

function insert<Target extends { readonly route: Route }>(root: Node<Target>, target: Target) {
  const { segments, httpMethod } = target.route;
  let node = root;
  for (const segment of segments) {
    if ("literal" in segment) {
      node = nodeAt(node.literals, segment.literal);
    } else {
      node.any ??= createNode();
      node = node.any;
    }
  }
  node.ends.set(httpMethod, target);
}

/** The best route for the method; adds the methods of every other match to `allow`. */
function search<Target>(
  root: Node<Target>,
  segments: readonly string[],
  httpMethod: string,
  allow: Set<string>,
): Target | undefined {
  const literals = segments.map(percentDecode);

  function pick(targets: Map<string, Target>): Target | undefined {
    const target = targets.get(httpMethod);
    if (target === undefined) for (const method of targets.keys()) allow.add(method);
    return target;
  }

  function descend(node: Node<Target>, depth: number): Target | undefined {
    if (depth === segments.length) return pick(node.ends);
    const literal = literals[depth] ?? null;
    const byLiteral = literal === null ? undefined : node.literals.get(literal);
    return (
      (byLiteral && descend(byLiteral, depth + 1)) ?? (node.any && descend(node.any, depth + 1))
    );
  }

  return descend(root, 0);
}

/** Null: it has an empty segment, or does not begin with a slash. */
function splitPath(path: string): string[] | null {
  if (path === "/") return [];
  const [beforeSlash, ...segments] = path.split("/");
  return beforeSlash === "" && !segments.includes("") && segments.length > 0 ? segments : null;
}

/** Takes the verb off the last segment. A colon that is percent-encoded is none. */
function splitVerb(segments: readonly string[]): {
  verb: string | null;
  withoutVerb: readonly string[];
} {
  const last = segments.at(-1) ?? "";
  const colon = last.lastIndexOf(":");
  const verb = colon > 0 ? percentDecode(last.slice(colon + 1)) : null;
  return { verb, withoutVerb: [...segments.slice(0, -1), last.slice(0, colon)] };
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

function cut(text: string, separator: string): [before: string, after: string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}
