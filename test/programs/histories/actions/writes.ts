import type { ApiRequest } from "../../../grpc/clients/api-client.ts";
import { labelOf, type Outcome } from "../call.ts";
import type { Random } from "../random.ts";
import type { CallOptions, Stage, StageAccount } from "../stage.ts";
import { CONVERSATIONS, changingFact, lastingFact } from "../texts.ts";

const TENANTS = [null, null, "red", "red", "blue"];
const DAY_MS = 86_400_000;

export function drawTenant(random: Random): string | null {
  return random.pick(TENANTS);
}

export function tenantField(tenant: string | null): ApiRequest {
  return tenant === null ? {} : { tenant_id: tenant };
}

/** A content write as an agent may send it. */
export function contentRequest(
  stage: Stage,
  account: StageAccount,
  random: Random,
  given: { tenant?: string | null; content?: string; auto?: boolean } = {},
): ApiRequest {
  const label = stage.newLabel(account);
  const { tenant = drawTenant(random) } = given;
  const content =
    given.content ?? (random.chance(0.6) ? changingFact(random) : lastingFact(random, label));
  const auto = given.auto ?? (random.chance(0.2) ? random.chance(0.6) : undefined);
  return {
    content,
    source: label,
    topic: `topic ${label}`,
    importance_score: random.between(1, 10),
    ...tenantField(tenant),
    ...(auto !== undefined && { auto_supersede: auto }),
    ...(given.content === undefined && drawValidity(random)),
  };
}

function drawValidity(random: Random): ApiRequest {
  const past = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  if (random.chance(0.1)) return { valid_from: past(random.between(1, 1_000)) };
  if (random.chance(0.05)) return { valid_to: "2999-01-01T00:00:00Z" };
  if (random.chance(0.05)) return { valid_from: past(30), valid_to: past(random.between(1, 20)) };
  return {};
}

/** A messages write as an agent may send it. */
export function conversationRequest(
  stage: Stage,
  account: StageAccount,
  random: Random,
  given: { tenant?: string | null; auto?: boolean } = {},
): ApiRequest {
  const { tenant = drawTenant(random) } = given;
  const auto = given.auto ?? (random.chance(0.3) ? random.chance(0.6) : undefined);
  return {
    messages: random.pick(CONVERSATIONS),
    source: stage.newLabel(account),
    ...tenantField(tenant),
    ...(auto !== undefined && { auto_supersede: auto }),
    ...(random.chance(0.3) && { session_id: "session" }),
  };
}

/** Several facts of a tenant in one request. */
function batchRequest(stage: Stage, account: StageAccount, random: Random): ApiRequest {
  const { source, topic, ...first } = contentRequest(stage, account, random);
  const tenant = (first.tenant_id as string | undefined) ?? null;
  const others = Array.from({ length: random.between(1, 7) }, () =>
    contentRequest(stage, account, random, { tenant }),
  );
  return { memories: [first, ...others].map((each) => ({ ...each, source, topic })) };
}

/** What a request writes as it stands: a fact, several, or what is found in a conversation. */
export function itemsOf(request: ApiRequest): readonly ApiRequest[] {
  return (request.memories as readonly ApiRequest[] | undefined) ?? [request];
}

/** Writes, and remembers what was acknowledged. */
export async function write(
  stage: Stage,
  account: StageAccount,
  random: Random,
  request: ApiRequest,
  options: CallOptions = {},
): Promise<Outcome> {
  const tenant = (itemsOf(request)[0]?.tenant_id as string | undefined) ?? null;
  account.tenants.add(tenant);
  const rpc = "memories" in request ? "BatchCreateMemories" : "CreateMemories";
  const outcome = await stage.call(account, random, rpc, request, options);
  for (const [place, id] of savedIds(outcome).entries()) {
    const { content = null } = itemsOf(request)[place] ?? {};
    account.memories.push({ id, tenant, content: content as string | null });
  }
  return outcome;
}

/** The memories that a response says were stored. */
export function savedIds(outcome: Outcome): readonly string[] {
  const body =
    outcome.kind === "done" ? outcome.body : outcome.kind === "refused" ? outcome.partial : null;
  if (body === null) return [];
  return body.memory_ids ?? [body.memory_id];
}

export async function writeContent(stage: Stage, account: StageAccount, random: Random) {
  await write(stage, account, random, contentRequest(stage, account, random));
}

export async function writeConversation(stage: Stage, account: StageAccount, random: Random) {
  await write(stage, account, random, conversationRequest(stage, account, random));
}

export async function writeBatch(stage: Stage, account: StageAccount, random: Random) {
  await write(stage, account, random, batchRequest(stage, account, random));
}

function anyRequest(stage: Stage, account: StageAccount, random: Random): ApiRequest {
  if (random.chance(0.2)) return batchRequest(stage, account, random);
  return random.chance(0.6)
    ? contentRequest(stage, account, random)
    : conversationRequest(stage, account, random);
}

/** A caller that does not wait for the answer, with a key or without. */
export async function writeAndHangUp(stage: Stage, account: StageAccount, random: Random) {
  const request = anyRequest(stage, account, random);
  await write(stage, account, random, request, {
    hangUpAfterMs: random.between(1, 12),
    ...(random.chance(0.5) && { idempotencyKey: `key-${labelOf(request)}` }),
  });
}

/** The same request several times at once, and at times another one under the same key. */
export async function burst(stage: Stage, account: StageAccount, random: Random) {
  const request = anyRequest(stage, account, random);
  const idempotencyKey = `key-${labelOf(request)}`;
  const others = random.chance(0.3) ? [anyRequest(stage, account, random)] : [];
  const same = Array.from({ length: random.between(2, 4) }, () => request);
  const send = (each: ApiRequest) => write(stage, account, random, each, { idempotencyKey });
  await Promise.all([...same, ...others].map(send));
  if (random.chance(0.5)) await send(request);
}

/** Writes of both modes at once, more than a small quota may have left. */
export async function rushForQuota(stage: Stage, account: StageAccount, random: Random) {
  const requests = Array.from({ length: random.between(3, 8) }, () =>
    random.chance(0.4)
      ? contentRequest(stage, account, random)
      : conversationRequest(stage, account, random),
  );
  await Promise.all(requests.map((request) => write(stage, account, random, request)));
}
