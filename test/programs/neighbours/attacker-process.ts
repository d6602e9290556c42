/** The process of an attacker: its own CPU is no part of the service's. */
import { setTimeout as sleep } from "node:timers/promises";
import { Attacker, type AttackerOptions } from "./attacker.ts";
import { CASES } from "./cases/index.ts";
import type { Answers } from "./neighbour-case.ts";

/** What the process is told, one after the other. */
export type Order =
  | { readonly kind: "arrange"; readonly name: string; readonly options: AttackerOptions }
  | { readonly kind: "attack"; readonly atMostMs: number };

/** What it says when that is done. */
export type Reply =
  | { readonly kind: "arranged" }
  | { readonly kind: "attacked"; readonly answers: Answers }
  | { readonly kind: "failed"; readonly why: string };

/** How long an attack may take to end once it was told to. */
const END_MS = 5_000;

let attacker: Attacker;
let attack: (signal: AbortSignal) => Promise<void>;

async function follow(order: Order): Promise<Reply> {
  if (order.kind === "arrange") {
    const found = CASES.find(({ name }) => name === order.name);
    if (found === undefined) throw new Error(`there is no case ${order.name}`);
    attacker = new Attacker(order.options);
    attack = await found.arrange(attacker);
    return { kind: "arranged" };
  }
  const late = sleep(order.atMostMs + END_MS, undefined, { ref: false });
  await Promise.race([attack(AbortSignal.timeout(order.atMostMs)), late]);
  return { kind: "attacked", answers: attacker.answers };
}

process.on("message", (order: Order) => {
  follow(order)
    .catch((error: unknown): Reply => ({ kind: "failed", why: String(error) }))
    .then((reply) => process.send?.(reply));
});
process.on("disconnect", () => process.exit());
