import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { type Random, randomFrom } from "../storage/contract/random.ts";
import type { TestAccount } from "../support/service.ts";
import { ask, remember } from "./fixture.ts";
import { SUBJECTS } from "./marked-embedder.ts";

/** Few enough numbers that each has several memories. */
const SUBJECTS_IN_USE = Math.min(20, SUBJECTS);
/** Of each caller between two calls: what is tested takes time, and the machine is for others too. */
const PAUSE_MS = 20;
/** About 40 for each number, however fast the machine is: a question gets 100 at most. */
const MAX_CURRENT = 40 * SUBJECTS_IN_USE;

interface Remembered {
  readonly subject: number;
  /** Counts every call's start and end. */
  readonly writtenAt: number;
  /** While a supersession runs, an answer may have the memory or not. */
  supersedingSince: number | null;
  supersededAt: number | null;
}

/** Callers that write, supersede, erase and ask all the time, and hold answers against what they know. */
export interface Traffic {
  /** Resolves when questions were answered this many times more. */
  answered(more: number): Promise<void>;
  /** Waits for calls in progress; calls go on with `resume`. */
  pause(): Promise<void>;
  /** Each call goes to one of these, which are one account's on several servers. */
  resume(keys: readonly Keys[]): void;
  /** Throws what went wrong in any of them. */
  stop(): Promise<void>;
  /** Everything that is remembered must be found, and nothing else, at one mark. */
  check(keys: Keys, mark: number): Promise<void>;
}

/** Of one server: the account that remembers, and one that is erased again and again. */
export interface Keys {
  readonly account: TestAccount;
  readonly erased: TestAccount;
}

export function startTraffic(seed: number): Traffic {
  const remembered = new Map<string, Remembered>();
  const running = new Set<Promise<void>>();
  let servers: readonly Keys[] = [];
  let gate = Promise.withResolvers<void>();
  let answer = Promise.withResolvers<void>();
  let isPaused = true;
  let isStopped = false;
  let time = 0;
  let answers = 0;
  /** When an answer first showed the lower mark of the next model. */
  let movedAt = Number.POSITIVE_INFINITY;

  async function loop(random: Random, call: (keys: Keys, random: Random) => Promise<void>) {
    while (!isStopped) {
      if (isPaused) {
        await gate.promise;
        continue;
      }
      const one = call(random.of(servers), random);
      const settled = one.catch(() => {});
      running.add(settled);
      await one.finally(() => running.delete(settled));
      await sleep(PAUSE_MS);
    }
  }

  async function write({ account }: Keys, random: Random): Promise<string> {
    const subject = random.below(SUBJECTS_IN_USE);
    const id = await remember(account, subject);
    remembered.set(id, {
      subject,
      writtenAt: ++time,
      supersedingSince: null,
      supersededAt: null,
    });
    return id;
  }

  function current(): [string, Remembered][] {
    return [...remembered].filter(([, { supersedingSince }]) => supersedingSince === null);
  }

  /** As many as there may be: then one more takes the place of another. */
  async function add(keys: Keys, random: Random): Promise<void> {
    if (current().length < MAX_CURRENT) await write(keys, random);
    else await supersede(keys, random);
  }

  async function supersede(keys: Keys, random: Random): Promise<void> {
    const known = current();
    if (known.length < SUBJECTS_IN_USE) return void (await write(keys, random));
    const [id, memory] = random.of(known);
    memory.supersedingSince = ++time;
    const body = { superseded_by: await write(keys, random) };
    const { status } = await keys.account.rest("POST", `/memories/${id}/supersede`, { body });
    expect(status).toBe(200);
    memory.supersededAt = ++time;
  }

  async function erase({ erased }: Keys, random: Random): Promise<void> {
    const subject = random.below(SUBJECTS_IN_USE);
    const id = await remember(erased, subject);
    expect((await ask(erased, subject)).ids).toEqual([id]);
    await erased.rest("DELETE", "/agent/memories");
    expect((await ask(erased, subject)).ids).toEqual([]);
  }

  async function question({ account }: Keys, random: Random): Promise<void> {
    const subject = random.below(SUBJECTS_IN_USE);
    const askedAt = ++time;
    const { ids, marks } = await ask(account, subject);
    const answeredAt = ++time;
    answers++;
    answer.resolve();
    answer = Promise.withResolvers();
    expect(marks.length).toBeLessThanOrEqual(1);
    const [mark = 0] = marks;
    if (mark > 0.8) expect(askedAt).toBeLessThan(movedAt);
    else if (mark > 0) movedAt = Math.min(movedAt, answeredAt);

    const known = [...remembered].filter(([, memory]) => memory.subject === subject);
    const mustHave = known.filter(
      ([, { writtenAt, supersedingSince }]) =>
        writtenAt < askedAt && (supersedingSince === null || supersedingSince > answeredAt),
    );
    const mustNotHave = known.filter(
      ([, { supersededAt }]) => supersededAt !== null && supersededAt < askedAt,
    );
    const found = new Set(ids);
    expect(mustHave.filter(([id]) => !found.has(id))).toEqual([]);
    expect(mustNotHave.filter(([id]) => found.has(id))).toEqual([]);
  }

  const loops = [
    loop(randomFrom(seed), add),
    loop(randomFrom(seed + 1), supersede),
    loop(randomFrom(seed + 2), erase),
    loop(randomFrom(seed + 3), question),
    loop(randomFrom(seed + 4), question),
  ];
  const outcome = Promise.all(loops);
  // Reported by stop().
  outcome.catch(() => {});

  return {
    async answered(more) {
      const wanted = answers + more;
      while (answers < wanted) await Promise.race([answer.promise, outcome]);
    },
    async pause() {
      if (!isPaused) gate = Promise.withResolvers();
      isPaused = true;
      while (running.size > 0) await Promise.all(running);
    },
    resume(keys) {
      servers = keys;
      isPaused = false;
      gate.resolve();
    },
    async stop() {
      isStopped = true;
      isPaused = false;
      gate.resolve();
      await outcome;
    },
    async check({ account }, mark) {
      for (let subject = 0; subject < SUBJECTS_IN_USE; subject++) {
        const known = [...remembered].filter(
          ([, memory]) => memory.subject === subject && memory.supersededAt === null,
        );
        const { ids, marks } = await ask(account, subject);
        expect(ids.toSorted()).toEqual(known.map(([id]) => id).toSorted());
        expect(marks).toEqual(known.length === 0 ? [] : [mark]);
      }
    },
  };
}
