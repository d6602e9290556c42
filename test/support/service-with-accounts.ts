import { SignInService } from "../../gen/agentmemory/dashboard/v1/session_service_pb.ts";
import { createAdminClient } from "../../src/cli/client.ts";
import { RIGHTS } from "../../src/domain/api-key.ts";
import { PAGE_HEADERS } from "./dashboard-client.ts";
import { newTestLocation, type TestEngine, type TestLocation } from "./database.ts";
import {
  databaseVariables,
  type ProcessOptions,
  type ServiceProcess,
  startServiceProcess,
} from "./service-process.ts";

const SIGN_IN = `/${SignInService.typeName}/SignIn`;
/** The most that an account may have. */
const WRITES_LIMIT = 2_000_000_000;

/** A service in a process of its own, on a new database, with accounts to call it by. */
export interface ServiceWithAccounts {
  readonly process: ServiceProcess;
  readonly place: TestLocation;
  /** The database as the service describes it, without where it is. */
  readonly description: string;
  /** As the service describes them. */
  readonly models: string;
  /** One for each account. */
  readonly keys: readonly string[];
  /** The cookies of new sessions, one for each account. */
  signIn(): Promise<readonly string[]>;
  /** Ends it and removes its data. `isSound`: it had lived until then, and ended in order. */
  close(): Promise<{ readonly isSound: boolean; readonly output: string }>;
}

/** For commands that send much: nothing is limited by the plan. `variables` choose the models. */
export async function startServiceWithAccounts(
  engine: TestEngine,
  accounts: number,
  options?: ProcessOptions,
  variables: Readonly<Record<string, string>> = {},
): Promise<ServiceWithAccounts> {
  const place = await newTestLocation(engine);
  const environment = { ...variables, ...databaseVariables(place.location), LOG_LEVEL: "error" };
  const process = await startServiceProcess(environment, options);
  const adminPort = Number(/^admin +gRPC on port (\d+)/m.exec(process.output())?.[1]);
  const admin = createAdminClient({ host: "127.0.0.1", port: adminPort, token: null });
  const keys: string[] = [];
  for (let index = 0; index < accounts; index++) {
    const companyId = `account-${index}`;
    const ownLimits = { writesLimit: WRITES_LIMIT };
    await admin.accounts.createAccount({ account: { companyId, ownLimits } });
    keys.push((await admin.apiKeys.createApiKey({ companyId, rights: [...RIGHTS] })).secret);
  }
  return {
    process,
    place,
    description: /^database +(.+?) (?:in|at) \S+$/m.exec(process.output())?.[1] ?? "",
    models: /^models +(.+)$/m.exec(process.output())?.[1] ?? "",
    keys,
    signIn: () =>
      Promise.all(
        keys.map(async (_, index) => {
          const of = { companyId: `account-${index}` };
          const { url } = await admin.signInLinks.createSignInLink(of);
          const answer = await fetch(new URL(SIGN_IN, process.url), {
            method: "POST",
            headers: { ...PAGE_HEADERS, "content-type": "application/json" },
            body: JSON.stringify({ token: url.split("/").at(-1) }),
          });
          return answer.headers.get("set-cookie")?.split(";")[0] ?? "";
        }),
      ),
    async close() {
      const isAlive = await fetch(`${process.url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
      const { code, output } = await process.end("SIGTERM");
      await place.remove();
      return { isSound: isAlive && code === 0, output };
    },
  };
}
