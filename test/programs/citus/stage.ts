import { once } from "node:events";
import { Agent, request as httpRequest } from "node:http";
import { performance } from "node:perf_hooks";
import pg from "pg";
import { createAdminClient } from "../../../src/cli/client.ts";
import { distributeDatabase } from "../../../src/storage/distribution.ts";
import { CitusCluster } from "../../support/citus-cluster.ts";
import {
  type ProcessOptions,
  type ServiceProcess,
  startServiceProcess,
} from "../../support/service-process.ts";

/** A whole service, as a process, and its operator. */
export class Service {
  readonly process: ServiceProcess;
  readonly admin: ReturnType<typeof createAdminClient>;

  private constructor(process: ServiceProcess) {
    this.process = process;
    const port = Number(/^admin +gRPC on port (\d+)/m.exec(process.output())?.[1]);
    this.admin = createAdminClient({ host: "127.0.0.1", port, token: null });
  }

  static async start(databaseUrl: string, options?: ProcessOptions): Promise<Service> {
    const variables = { DATABASE_URL: databaseUrl, LOG_LEVEL: "error" };
    return new Service(await startServiceProcess(variables, options));
  }

  async newAccount(companyId: string): Promise<Account> {
    await this.admin.accounts.createAccount({
      account: { companyId, ownLimits: { writesLimit: 10_000_000 } },
    });
    const { secret } = await this.admin.apiKeys.createApiKey({ companyId });
    return new Account(this.process.url, companyId, secret);
  }

  async close(): Promise<void> {
    await this.process.end("SIGTERM");
  }
}

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: of any call
  readonly body: any;
  readonly ms: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Who calls the service, over REST. */
export class Account {
  readonly companyId: string;
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, companyId: string, key: string) {
    this.#url = url;
    this.companyId = companyId;
    this.#key = key;
  }

  /** The same account at another server. */
  at(url: string): Account {
    return new Account(url, this.companyId, this.#key);
  }

  async call(method: string, path: string, body?: object): Promise<Answer> {
    const start = performance.now();
    const request = httpRequest(new URL(path, this.#url), {
      agent,
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
    });
    request.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = await once(request, "response");
    let text = "";
    for await (const chunk of response.setEncoding("utf8")) text += chunk;
    return {
      status: response.statusCode,
      retryAfter: response.headers["retry-after"],
      body: JSON.parse(text),
      ms: performance.now() - start,
    };
  }

  write(content: string): Promise<Answer> {
    return this.call("POST", "/agent/memories", { content });
  }

  ask(question: string): Promise<Answer> {
    return this.call("POST", "/agent/query", { question });
  }
}

/** A distributed database on a cluster of its own, and a service on it. */
export class Stage {
  readonly cluster: CitusCluster;
  readonly service: Service;
  readonly #pool: pg.Pool;

  private constructor(cluster: CitusCluster, service: Service) {
    this.cluster = cluster;
    this.service = service;
    this.#pool = poolOf(cluster);
  }

  static async open(): Promise<Stage> {
    const cluster = await CitusCluster.create();
    try {
      await distributeDatabase(cluster.coordinator.url);
      return new Stage(cluster, await Service.start(cluster.coordinator.url));
    } catch (error) {
      await cluster.remove();
      throw error;
    }
  }

  /** On the coordinator, beside the service. */
  // biome-ignore lint/suspicious/noExplicitAny: rows are as their statement says
  async query(statement: string, parameters: readonly unknown[] = []): Promise<any[]> {
    return (await this.#pool.query(statement, [...parameters])).rows;
  }

  /** The port of the worker that has an account's rows. */
  async portOf(companyId: string): Promise<number> {
    const [row] = await this.query(
      `select nodeport from citus_shards
      where shardid = get_shard_id_for_distribution_column('memories', $1::text)`,
      [companyId],
    );
    return row.nodeport;
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.#pool.end();
    await this.cluster.remove();
  }
}

/** To the other worker, with all tables of the account; resolves when it is there. */
export async function moveShardOf(stage: Stage, companyId: string, mode: string): Promise<void> {
  const [shard] = await stage.query(
    `select shardid, nodeport from citus_shards
    where shardid = get_shard_id_for_distribution_column('memories', $1::text)`,
    [companyId],
  );
  const target = stage.cluster.workers.find(({ port }) => port !== shard.nodeport);
  await stage.query(
    `select citus_move_shard_placement(
      $1, '127.0.0.1', $2, '127.0.0.1', $3, shard_transfer_mode => $4::citus.shard_transfer_mode
    )`,
    [shard.shardid, shard.nodeport, target?.port, mode],
  );
}

function poolOf({ coordinator }: CitusCluster): pg.Pool {
  const pool = new pg.Pool({ connectionString: coordinator.url, max: 2 });
  pool.on("error", () => {});
  return pool;
}
