import { drivenMetrics } from "../../test/metrics/driven-metrics.ts";
import { PAGE_NOTE, table } from "./page-parts.ts";

/** `docs/reference/metrics.md`: what /metrics tells of the service. */
export async function metricsPage(): Promise<string> {
  const own = [...(await drivenMetrics())].filter(([name]) => name.startsWith("agent_memory_"));
  const rows = own.map(([name, { type, labels, help }]) => [
    `\`${name}\``,
    type,
    [...labels].map((label) => `\`${label}\``).join(", "),
    help,
  ]);
  return `# Metrics

${PAGE_NOTE}

\`GET /metrics\` on the admin port answers these metrics, and the usual ones of a Node.js process.

${table(["Metric", "Type", "Labels", "Meaning"], rows)}
`;
}
