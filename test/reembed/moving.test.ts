/**
 * A database moves to another embedding model under load, and whatever moves it is
 * stopped at any point: nothing is lost, and no answer mixes two models.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { countVectors } from "../../src/storage/reembedding.ts";
import { newTestLocation, TEST_ENGINES } from "../support/database.ts";
import type { TestAccount } from "../support/service.ts";
import { type MovingService, nextModel, presentModel, startMoving } from "./fixture.ts";
import { runReembed } from "./process.ts";
import { type Keys, startTraffic } from "./traffic.ts";

const SEED = 20_261_121;
/** While it is killed and started again, the command must not get to the end. */
const SLOW = ["--rate", "3"];

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

describe.for(TEST_ENGINES)("on %s", (engine) => {
  /** PGlite's folder is one server's alone. */
  const count = engine === "pglite" ? 1 : 2;

  test("moves while it serves, stopped and started again at any point", async () => {
    const place = await newTestLocation(engine);
    closers.push(place.remove);
    const present = presentModel();
    const next = nextModel();
    const traffic = startTraffic(SEED);
    closers.push(() => traffic.stop());
    let servers: readonly MovingService[] = [];
    let keys: readonly Keys[] = [];
    closers.push(async () => {
      await traffic.pause();
      for (const { close } of servers) await close();
    });

    /** Ends all servers, or all but the last ones, and starts new ones in their place. */
    async function restart(replaced: number, withNext: boolean): Promise<void> {
      await traffic.pause();
      const staying = servers.slice(replaced);
      if (staying.length > 0) traffic.resume(keys.slice(replaced));
      for (const { close } of servers.slice(0, replaced)) await close();
      const started = await Promise.all(
        Array.from({ length: count - staying.length }, () =>
          startMoving(place, present, withNext ? next : null),
        ),
      );
      servers = [...started, ...staying];
      const [first] = keys;
      const companies = first ?? (await newAccounts(servers[0]));
      keys = await Promise.all(servers.map((server) => keysOn(server, companies)));
      await traffic.pause();
      traffic.resume(keys);
    }

    await restart(count, false);
    await traffic.answered(30);
    await restart(count, true);
    const killed = runReembed(adminPort(servers), SLOW);
    await sleep(1_400);
    killed.kill();
    expect((await killed.ended).code).toBeNull();
    await traffic.answered(10);
    const interrupted = runReembed(adminPort(servers), SLOW);
    await sleep(1_200);
    await restart(1, true);
    expect((await interrupted.ended).code).toBe(1);
    await traffic.answered(10);

    const { code, out } = await runReembed(adminPort(servers), ["--rate", "1000"]).ended;
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("cut over: ") });
    await traffic.answered(30);
    await traffic.stop();
    for (const each of keys) await traffic.check(each, next.mark);
    const [{ service } = expect.fail("no server")] = servers;
    const [old, moved] = service.context.embedders;
    const counted = await countVectors(service.context.db, moved?.spaceId ?? 0);
    expect(counted).toMatchObject({ missing: 0 });
    await runReembed(adminPort(servers), []).ended;
    expect(await countVectors(service.context.db, old?.spaceId ?? 0)).toEqual({
      memories: counted.memories,
      missing: counted.memories,
    });
  }, 180_000);
});

function adminPort([server]: readonly MovingService[]): number {
  if (server === undefined) throw new Error("no server runs");
  return server.service.adminPort;
}

async function newAccounts(server: MovingService | undefined): Promise<Keys> {
  if (server === undefined) throw new Error("no server runs");
  const { service } = server;
  return { account: await service.createAccount(), erased: await service.createAccount() };
}

async function keysOn({ service }: MovingService, { account, erased }: Keys): Promise<Keys> {
  const on = ({ companyId }: TestAccount) => service.createKey(companyId);
  return { account: await on(account), erased: await on(erased) };
}
