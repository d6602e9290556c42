import { inspect } from "node:util";
import { test } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type ScriptedModels, scriptModels } from "./scripted-models.ts";

/**
 * What tests of the specification share: the whole service, on models that they
 * script. All files that a worker runs share one, since a database takes seconds to
 * open: each test has accounts and texts of its own, and moves the clock only
 * forward, or holds it.
 */
export interface Spec {
  /** While tests run. */
  readonly service: TestService;
  readonly script: ScriptedModels;
  /** Everything that was logged, whatever its level. */
  readonly logged: readonly string[];
}

interface SpecOptions {
  /** Limits how often a key may call. */
  readonly rateLimit?: boolean;
}

async function startSpec(config: Partial<Config>): Promise<Spec> {
  const script = scriptModels();
  const logged: string[] = [];
  const note = (fields: object, message: string) => void logged.push(inspect([fields, message]));
  const log = { debug: note, info: note, warn: note, error: note };
  const service = await startTestService({ models: script.models, log, config });
  return { service, script, logged };
}

// biome-ignore lint/correctness/noEmptyPattern: Vitest asks for a pattern here
const specTest = test.extend("specOf", { scope: "worker" }, ({}, { onCleanup }) => {
  const started = new Map<boolean, Promise<Spec>>();
  onCleanup(async () => {
    for (const spec of started.values()) await (await spec).service.close();
  });
  return (rateLimit: boolean): Promise<Spec> => {
    const spec = started.get(rateLimit) ?? startSpec({ rateLimit });
    started.set(rateLimit, spec);
    return spec;
  };
});

export function useSpec({ rateLimit = false }: SpecOptions = {}): Spec {
  let spec: Spec | undefined;
  specTest.beforeAll(async ({ specOf }) => {
    spec = await specOf(rateLimit);
  });
  const running = () => {
    if (spec === undefined) throw new Error("the service runs while tests do");
    return spec;
  };
  return {
    get service() {
      return running().service;
    },
    get script() {
      return running().script;
    },
    get logged() {
      return running().logged;
    },
  };
}
