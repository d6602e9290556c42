import { type CampaignFailure, type CampaignResult, HANG_MS } from "./campaign.ts";
import { PROTOCOLS } from "./requests.ts";

/** Everything to see a failure again. */
export function failureText({ violation, request, seed, path }: CampaignFailure): string {
  return [
    `FAILED: ${violation}`,
    `  ${JSON.stringify(request)}`,
    `  npm run fuzz -- --senders 1 --seed ${seed} --path ${path}`,
  ].join("\n");
}

/** A section of Markdown. */
export function reportOf(
  result: CampaignResult,
  run: { readonly database: string; readonly seed: number; readonly isSound: boolean },
): string {
  const { sent, failures, durationMs } = result;
  const total = Object.values(sent).reduce((sum, each) => sum + each, 0);
  const broken = [...new Set(failures.map(({ violation }) => violation))];
  const rows: readonly (readonly [string, string | number])[] = [
    ["Requests", total],
    ...PROTOCOLS.map((protocol) => [`… by ${protocol}`, sent[protocol]] as const),
    ["Served", result.served],
    ["… and all that they changed read back", result.readBack],
    ["Refused", result.refused],
    ["… with 503 and a wait", result.unavailable],
    ["Slowest answer, ms", Math.ceil(result.slowestMs)],
    [`Above ${HANG_MS} ms, or unanswered, beside others: asked again alone`, result.askedAgain],
    ["Laws broken", failures.length],
    ["The process lived to the end, and ended in order", run.isSound ? "yes" : "no"],
    ["Minutes", (durationMs / 60_000).toFixed(1)],
  ];
  return [
    "## Fuzzing",
    "",
    "Requests made from the descriptors and the HTTP rules, sound, nearly sound and not at all, " +
      "of every RPC, also of the dashboard's, and of the tools of MCP, " +
      "sent by several accounts at once. No answer may be a 5xx but 503 with a wait, take more than " +
      `${HANG_MS / 1_000} s when asked alone, be an error without its documented form, or tell of ` +
      "the inside; what was accepted must read back as it was sent.",
    "",
    `On ${run.database}, seed ${run.seed}.`,
    "",
    "| | |",
    "|---|---|",
    ...rows.map(([what, value]) => `| ${what} | ${value} |`),
    ...broken.map((violation) => `\n- ${violation}`),
    "",
  ].join("\n");
}
