/** The dashboard and the alert rules ask for what /metrics tells. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { memoryServiceRoutes } from "../../gen/agentmemory/v1/memory_service_rest.ts";
import { planServiceRoutes } from "../../gen/agentmemory/v1/plan_service_rest.ts";
import { settingsServiceRoutes } from "../../gen/agentmemory/v1/settings_service_rest.ts";
import { FAILURE_STATUS } from "../../src/edge/error-mapping.ts";
import { drivenMetrics, type RenderedMetric } from "../metrics/driven-metrics.ts";
import { type Matcher, readPromql, type Selections } from "./promql.ts";

const dashboard = JSON.parse(read("deploy/grafana/agent-memory.json"));
const alerts = parse(read("deploy/prometheus/alerts.yml"));
const guide = read("docs/operate.md");

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly description: string };
  readonly labels: { readonly severity: string };
}

const panels: readonly Panel[] = dashboard.panels;
const rules: readonly Rule[] = alerts.groups.flatMap(({ rules }: { rules: Rule[] }) => rules);

/** Of Prometheus itself, which adds them to what it is told. */
const OF_PROMETHEUS = { metrics: ["up"], labels: ["job", "instance", "le"] };

/** What a label can say, where that is known. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  rpc: [...memoryServiceRoutes, ...planServiceRoutes, ...settingsServiceRoutes].map(
    ({ rpc }) => `${rpc.parent.typeName}/${rpc.name}`,
  ),
  reason: Object.keys(FAILURE_STATUS),
  state: ["closed", "half_open", "open"],
  queue: [...guide.matchAll(/^\| `(\w+)` \| [^|]+ \| [^|]+ \|$/gm)].map(([, queue = ""]) => queue),
};

let metrics: ReadonlyMap<string, RenderedMetric>;
beforeAll(async () => {
  metrics = await drivenMetrics();
});

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

/** As Grafana fills them in. */
function withVariables(expression: string): string {
  return expression.replaceAll("$__rate_interval", "1m").replaceAll(/\$\w+/g, "x");
}

const EXPRESSIONS = [
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => [`the panel ${title}`, withVariables(expr)] as const),
  ),
  ...rules.map(({ alert, expr }) => [`the alert ${alert}`, expr] as const),
];

/** The metric that a sample of this name is of. */
function metricOf(sample: string): RenderedMetric | undefined {
  return [...metrics.values()].find(({ samples }) => samples.has(sample));
}

function labelsOf({ selectors }: Selections): Set<string> {
  const labels = selectors.flatMap(({ metric }) => [...(metricOf(metric)?.labels ?? [])]);
  return new Set([...labels, ...OF_PROMETHEUS.labels]);
}

describe.each(EXPRESSIONS)("%s", (_, expression) => {
  const selections = readPromql(expression);

  test("asks for metrics that there are", () => {
    expect(selections.selectors).not.toEqual([]);
    for (const { metric } of selections.selectors) {
      if (!OF_PROMETHEUS.metrics.includes(metric)) expect(metricOf(metric), metric).toBeDefined();
    }
  });

  test("names labels that they have", () => {
    for (const { metric, matchers } of selections.selectors) {
      const known = [...(metricOf(metric)?.labels ?? []), ...OF_PROMETHEUS.labels];
      for (const { label } of matchers) expect(known, metric).toContain(label);
    }
    for (const label of selections.groupings) expect([...labelsOf(selections)]).toContain(label);
  });

  test("asks for what a label can say", () => {
    const matchers = selections.selectors.flatMap((each) => each.matchers);
    for (const matcher of matchers) {
      const values = VALUES[matcher.label] ?? [];
      if (values.length > 0)
        expect(
          values.some((value) => matches(matcher, value)),
          matcher.value,
        ).toBe(true);
    }
  });
});

function matches({ operator, value: wanted }: Matcher, value: string): boolean {
  const isRegex = operator.endsWith("~");
  const isEqual = isRegex ? new RegExp(`^(?:${wanted})$`).test(value) : wanted === value;
  return isEqual !== operator.startsWith("!");
}

test("legends name labels that their expressions keep", () => {
  for (const { title, targets = [] } of panels) {
    for (const { expr, legendFormat } of targets) {
      const known = labelsOf(readPromql(withVariables(expr)));
      const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);
      for (const label of named) expect([...known], title).toContain(label);
    }
  }
});

test("variables of the dashboard ask for labels that there are", () => {
  for (const { type, definition } of dashboard.templating.list) {
    if (type !== "query") continue;
    const [, metric = "", label = ""] =
      /^label_values\((\w+)(?:\{.*\})?, (\w+)\)$/.exec(definition) ?? [];
    expect(metricOf(metric), definition).toBeDefined();
    expect(OF_PROMETHEUS.labels).toContain(label);
  }
});

test("each alert says what it is about, how urgent it is, and names labels that are left", () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { alert, expr, annotations, labels } of rules) {
    expect(["page", "ticket"], alert).toContain(labels.severity);
    const known = labelsOf(readPromql(expr));
    for (const text of [annotations.summary, annotations.description]) {
      expect(text, alert).not.toBe("");
      for (const [, label = ""] of text.matchAll(/\$labels\.(\w+)/g)) {
        expect([...known], alert).toContain(label);
      }
    }
  }
});

test("every metric of the service is on the dashboard or in an alert", () => {
  const used = new Set(
    EXPRESSIONS.flatMap(([, expression]) =>
      readPromql(expression).selectors.map(({ metric }) => metric),
    ),
  );
  const idle = [...metrics].filter(
    ([name, { samples }]) =>
      name.startsWith("agent_memory_") && ![...samples].some((sample) => used.has(sample)),
  );
  expect(idle.map(([name]) => name)).toEqual([]);
});
