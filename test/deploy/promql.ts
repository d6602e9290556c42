import { parser } from "@prometheus-io/lezer-promql";

/** One condition on a label, such as `code=~"internal|unknown"`. */
export interface Matcher {
  readonly label: string;
  readonly operator: string;
  readonly value: string;
}

/** What an expression of PromQL looks at. */
export interface Selections {
  readonly selectors: readonly { readonly metric: string; readonly matchers: readonly Matcher[] }[];
  /** Labels that groupings name. */
  readonly groupings: readonly string[];
}

/** Throws an Error where the expression is not PromQL. */
export function readPromql(expression: string): Selections {
  const selectors: { metric: string; matchers: Matcher[] }[] = [];
  const groupings: string[] = [];
  parser.parse(expression).iterate({
    enter(node) {
      const text = expression.slice(node.from, node.to);
      if (node.type.isError) throw new Error(`no PromQL at ${node.from}: ${expression}`);
      if (node.name === "VectorSelector") {
        const [metric = ""] = /^[\w:]*/.exec(text) ?? [];
        selectors.push({ metric, matchers: [] });
      } else if (node.name === "UnquotedLabelMatcher") {
        const [, label = "", operator = "", value = ""] = MATCHER.exec(text) ?? [];
        selectors.at(-1)?.matchers.push({ label, operator, value });
      } else if (node.name === "GroupingLabels") {
        groupings.push(...(text.match(/\w+/g) ?? []));
      }
    },
  });
  return { selectors, groupings };
}

const MATCHER = /^(\w+)\s*(=~|!~|!=|=)\s*"(.*)"$/s;
