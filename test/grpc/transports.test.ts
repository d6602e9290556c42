/**
 * The same scenarios through every protocol that the port speaks, by two gRPC
 * clients that share no code: same results, same errors.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forThisFile } from "../support/for-this-file.ts";
import { startTestService } from "../support/service.ts";
import { SCENARIOS } from "./cases/index.ts";
import type { ApiClient } from "./clients/api-client.ts";
import { CLIENTS } from "./clients/index.ts";
import { restOverHttp1 } from "./clients/rest-client.ts";
import { masked } from "./masked.ts";
import { createApi, type Scenario } from "./scenario.ts";

const service = await forThisFile(startTestService({ config: { rateLimit: true } }));

const transcripts = new Map<string, Promise<unknown>>();

async function transcriptOf(scenario: Scenario, client: ApiClient): Promise<unknown> {
  const startedAt = new Date();
  const api = await createApi(service, client);
  await scenario.run(api);
  const reasons = api.transcript.flatMap((entry) => ("reason" in entry ? [entry.reason] : []));
  expect(new Set(reasons)).toEqual(new Set(scenario.failures ?? []));
  return masked(api.transcript, startedAt);
}

/** What REST over HTTP/1.1 answers, which the interface describes. */
function reference(scenario: Scenario): Promise<unknown> {
  const known = transcripts.get(scenario.name);
  if (known !== undefined) return known;
  const transcript = transcriptOf(scenario, restOverHttp1(service.url));
  transcripts.set(scenario.name, transcript);
  return transcript;
}

describe.each(Object.entries(CLIENTS))("%s", (_, createClient) => {
  let client: ApiClient;
  beforeAll(() => {
    client = createClient(service.url);
  });
  afterAll(() => client.close());

  test.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
    "%s",
    async (_name, scenario) => {
      const expected = await reference(scenario);
      if (createClient === restOverHttp1) return;
      expect(await transcriptOf(scenario, client)).toEqual(expected);
    },
  );
});
