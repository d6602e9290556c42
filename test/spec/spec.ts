import { inspect } from "node:util";
import { afterAll, beforeAll } from "vitest";
import type { Config } from "../../src/config.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type ScriptedModels, scriptModels } from "./scripted-models.ts";

/** What the tests of one file share: the whole service, on models that they script. */
export interface Spec {
  /** While tests run. */
  readonly service: TestService;
  readonly script: ScriptedModels;
  /** Everything that was logged, whatever its level. */
  readonly logged: readonly string[];
}

/** Starts the service before the file's tests and stops it after them. */
export function useSpec(config: Partial<Config> = {}): Spec {
  const script = scriptModels();
  const logged: string[] = [];
  const note = (fields: object, message: string) => void logged.push(inspect([fields, message]));
  const log = { debug: note, info: note, warn: note, error: note };
  let service: TestService | undefined;

  beforeAll(async () => {
    service = await startTestService({ models: script.models, log, config });
  });
  afterAll(() => service?.close());

  return {
    get service() {
      if (service === undefined) throw new Error("the service runs while tests do");
      return service;
    },
    script,
    logged,
  };
}
