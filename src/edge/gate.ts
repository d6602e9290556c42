import type { HttpError } from "@agent-memory/transcoding";
import { authorityOf, type NodeRequest } from "@agent-memory/transcoding/node-http";
import {
  type DescField,
  type DescMessage,
  type DescMethod,
  isMessage,
  type Message,
} from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import type {
  ContextValues,
  HandlerContext,
  Interceptor,
  StreamRequest,
} from "@connectrpc/connect";
import { SessionService } from "../../gen/agentmemory/dashboard/v1/session_service_pb.ts";
import { TenantService } from "../../gen/agentmemory/dashboard/v1/tenant_service_pb.ts";
import { MemoryService } from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { PlanService } from "../../gen/agentmemory/v1/plan_service_pb.ts";
import type { Release } from "../concurrency/fair-semaphore.ts";
import { checkNotSuspended } from "../domain/account.ts";
import {
  checkRight,
  checkTenant,
  isWellFormedApiKey,
  type KeyRights,
  type Right,
} from "../domain/api-key.ts";
import { Failure, ofLine } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import {
  authenticate,
  authenticateGrant,
  authenticateSession,
  confirmCaller,
  findKnownAccount,
  type Grant,
} from "../service/authenticate.ts";
import type { KnownCaller, MemoryContext, ServiceContext } from "../service/context.ts";
import { checkTenantOfMemory } from "../service/memories.ts";
import { type Admission, admissionOf } from "./admission.ts";
import { noteMethod, notesOf } from "./observed-calls.ts";
import { callerKey, valuesIn } from "./rpc/handlers.ts";
import { sessionTokenOf } from "./sign-in-pages.ts";

const { NO_SIDE_EFFECTS } = MethodOptions_IdempotencyLevel;
const GET_PLAN_STATUS = PlanService.method.getPlanStatus;
const SIGN_OUT = SessionService.method.signOut;

export interface GateOptions {
  /** false: there is no dashboard, and only keys are taken. */
  readonly takesSessions: boolean;
  /** Reads an access token that comes by the Model Context Protocol. Null: none is taken. */
  readonly readGrant: ((token: string) => Promise<Grant | null>) | null;
}

/** As the calls of that protocol name it. */
export const MCP_PROTOCOL = "mcp";

/** Runs before the body of a call is read. Throws to refuse the call. */
export type Gate = (call: HandlerContext) => Promise<void>;

/**
 * The gate of every call that takes a key or a session. It checks in the order of D13b: the
 * caller (401), the rate (429), the requests that the account has in progress (429), and whether
 * the account is suspended (403).
 */
export function createGate(
  context: MemoryContext,
  { takesSessions, readGrant }: GateOptions,
): Gate {
  function identify({ requestHeader, protocolName }: HandlerContext, admission: Admission) {
    const token = bearerToken(requestHeader.get("authorization"));
    return readGrant !== null &&
      protocolName === MCP_PROTOCOL &&
      token !== null &&
      !isWellFormedApiKey(token)
      ? authenticateGrant(context, token, admission.address, readGrant)
      : identifyCaller(context, requestHeader, admission);
  }

  return (call) => {
    noteMethod(call);
    return context.tracer.span("gate", {}, async () => {
      const admission = admissionOf(call.values);
      const caller = await identify(call, admission);
      if (caller.credential === "session" && !takesSessions) {
        throw new Failure("unauthenticated", "there is no dashboard here, and so no session");
      }
      // The plan says why other calls are refused, so that call is always free.
      // A person who leaves a shared machine must not wait for calls of others.
      const isSignOut = call.method === SIGN_OUT;
      await admission.known(caller, isSignOut || call.method === GET_PLAN_STATUS, !isSignOut);
    });
  };
}

/** An answer of 401 says how to authenticate. */
export function withChallenge(error: HttpError, request: NodeRequest): HttpError {
  if (error.status !== 401) return error;
  const challenge = challengeTo(request.headers.authorization);
  return { ...error, headers: { ...error.headers, "www-authenticate": challenge } };
}

/** The `WWW-Authenticate` of a 401: whether a key was presented and is wrong (RFC 6750, 3). */
export function challengeTo(authorization: string | null | undefined): string {
  return bearerToken(authorization) === null ? "Bearer" : 'Bearer error="invalid_token"';
}

/** The account whose key a request has, as far as it is known without a look-up; null: it is not. */
export function knownAccountOf(
  context: ServiceContext,
): (request: NodeRequest) => CompanyId | null {
  return ({ headers }) => {
    const token = bearerToken(headers.authorization);
    return token === null ? null : findKnownAccount(context, token);
  };
}

/** A header that pages of the dashboard send, and a form of another page cannot send. */
export const DASHBOARD_HEADER = "x-dashboard";

/**
 * The caller: the owner of the API key in the headers or, where there is none and the
 * dashboard itself calls, of the session in their cookie.
 *
 * Throws `unauthenticated` and `too_many_refusals`.
 */
function identifyCaller(context: ServiceContext, headers: Headers, admission: Admission) {
  const token = headers.has("authorization") ? null : sessionTokenOf(headers, admission);
  return token !== null && isOfDashboard(headers, admission)
    ? authenticateSession(context, token, admission.address)
    : authenticate(context, bearerToken(headers.get("authorization")), admission.address);
}

/**
 * Whether a page of the service itself sent a call. Browsers send cookies with what any
 * page sends; they say whose it is, and let no other page set this header.
 */
export function isOfDashboard(headers: Headers, { request }: Pick<Admission, "request">): boolean {
  if (!headers.has(DASHBOARD_HEADER)) return false;
  const site = headers.get("sec-fetch-site");
  // Over plain HTTP beyond loopback browsers do not say it.
  return site === null ? isOwnOrigin(request) : site === "same-origin";
}

/** Whether a request names as its origin the host that it is sent to. */
export function isOwnOrigin(request: NodeRequest): boolean {
  const origin = URL.parse(request.headers.origin ?? "");
  return origin !== null && origin.host === authorityOf(request);
}

/** The token of `Authorization: Bearer TOKEN` (RFC 6750); null: not exactly one such token. */
export function bearerToken(authorization: string | null | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? null;
}

/**
 * Looks at the key again when the whole request is there (D36): it may have been revoked during a
 * slow body. A read looks once more before its answer, and a stream before each message. Mostly the
 * look-up is still known.
 */
export function createCallerCheck(context: ServiceContext): Interceptor {
  async function* confirmed<T>(messages: AsyncIterable<T>, caller: KnownCaller): AsyncGenerator<T> {
    for await (const message of messages) {
      await confirmCaller(context, caller);
      yield message;
    }
  }
  return (next) => async (request) => {
    const { header, contextValues, signal } = request;
    const caller = await confirmKey(context, header, contextValues);
    const db = context.db.forCall(caller.companyId, signal);
    contextValues.set(callerKey, { ...caller, db, notes: notesOf(request) });
    const response = await next(request);
    if (response.stream) return { ...response, message: confirmed(response.message, caller) };
    // A write stays done; an answer that was only read is not told.
    if (request.method.idempotency === NO_SIDE_EFFECTS) await confirmCaller(context, caller);
    return response;
  };
}

/** For services of the dashboard: no API key may make another one. */
export const takesSession: Interceptor = (next) => (request) => {
  if (request.contextValues.get(callerKey)?.credential !== "session") {
    throw new Failure("unauthenticated", "this takes a session of the dashboard, and no API key");
  }
  return next(request);
};

/** The caller whose key or session still counts. Throws where it was revoked, or its account suspended. */
export async function confirmKey(context: ServiceContext, header: Headers, values: ContextValues) {
  const admission = admissionOf(values);
  if (admission.caller !== null) return confirmCaller(context, admission.caller);
  const caller = await identifyCaller(context, header, admission);
  checkNotSuspended(caller.account);
  return caller;
}

const { exportMemories, importMemories, ...calls } = MemoryService.method;
const TRANSFERS: readonly DescMethod[] = [exportMemories, importMemories];
/** They wait when they are answered: models take longer than readers do. */
const QUESTIONS: readonly DescMethod[] = [
  ...[calls.queryMemories, calls.searchMemories, calls.getContext],
  TenantService.method.searchEveryTenant,
];

/** The right that a call takes of a key (D48); null: every key may make it. */
function rightFor(method: DescMethod): Right | null {
  if (method === GET_PLAN_STATUS) return null;
  if (method === calls.deleteMemories) return "delete";
  if (method === importMemories) return "import";
  const asks = QUESTIONS.includes(method) || method === calls.streamQueryMemories;
  return asks || method.idempotency === NO_SIDE_EFFECTS ? "read" : "write";
}

/**
 * Holds each call by a key to the key's rights, and to its tenants each message that can name
 * a tenant, or a memory. A session has every right.
 *
 * Rejects with `not_permitted`.
 */
export const holdToRights: Interceptor = (next) => async (request) => {
  const caller = request.contextValues.get(callerKey);
  if (caller === null || caller.rights === null) return next(request);
  const { rights } = caller;
  const right = rightFor(request.method);
  if (right) checkRight(rights, right);
  if (rights.tenants.length === 0) return next(request);
  if (request.stream) return next(withCheckedMessages(request, rights));
  checkTenants(reflect(request.method.input, request.message), rights);
  const { memoryId, supersededBy } = request.message as Message & Record<string, unknown>;
  await checkTenantOfMemory(caller, memoryId, "memory_id");
  await checkTenantOfMemory(caller, supersededBy, "superseded_by");
  return next(request);
};

function withCheckedMessages(request: StreamRequest, rights: KeyRights): StreamRequest {
  const { input, methodKind } = request.method;
  async function* checked(messages: AsyncIterable<Message>) {
    let line = 0;
    for await (const message of messages) {
      const check = () => checkTenants(reflect(input, message), rights);
      if (methodKind === "client_streaming") ofLine(++line, check);
      else check();
      yield message;
    }
  }
  return { ...request, message: checked(request.message) };
}

/** In a message that can name a tenant, no name is one that no pattern allows. */
function checkTenants(message: ReflectMessage, rights: KeyRights): void {
  const { tenantId, tenantIds } = message.desc.field;
  if (tenantIds?.fieldKind === "list" && message.isSet(tenantIds)) {
    for (const id of message.get(tenantIds)) checkTenant(rights, String(id), "tenant_ids");
  } else if (tenantId !== undefined) {
    const id = message.isSet(tenantId) ? String(message.get(tenantId)) : null;
    checkTenant(rights, id, "tenant_id");
  }
  for (const field of message.fields) {
    if (field.fieldKind === "message" && message.isSet(field)) {
      checkTenants(message.get(field), rights);
    } else if (field.fieldKind === "list" && field.listKind === "message") {
      for (const each of message.get(field)) checkTenants(each as ReflectMessage, rights);
    }
  }
}

/** Shorter messages of a stream are sent without a wait. */
const MIN_LARGE_CHARACTERS = 64 * 1024;

/**
 * Bounds what is read or made for the answers of an account and not yet sent (D37), and
 * charges each answer for its rows. Exports and imports hold much for as long as their clients
 * like, so they are bounded as a whole. Each large message of a stream waits too.
 *
 * Rejects with `too_many_in_flight` where the account does not read its answers, and with
 * `overloaded` where all accounts together have too many.
 */
export const boundAnswers: Interceptor = (next) => async (request) => {
  const { method, contextValues, signal } = request;
  const admission = admissionOf(contextValues);
  const largeAnswer = () => admission.largeAnswer(signal);
  const charge = (message: Message) => admission.chargeRows(rowsOf(method.output, message));

  if (!request.stream) admission.parsed(valuesIn(request.message));
  if (TRANSFERS.includes(method)) await admission.transfer(signal);
  const isQuestion = QUESTIONS.includes(method);
  const release = !isQuestion && readsList(method) ? await largeAnswer() : null;
  // An interceptor may throw at once.
  const answered = Promise.try(next, request);
  // A client that leaves ends its response before the statement that reads for it.
  if (release !== null) void Promise.allSettled([answered, admission.ended]).then(() => release());
  const response = await answered;
  if (response.stream) {
    return { ...response, message: bounded(response.message, admission, charge, largeAnswer) };
  }
  if (isQuestion) admission.hold(await largeAnswer());
  charge(response.message);
  return response;
};

/** Whether it reads a list from the database, and so waits before it does. */
function readsList({ methodKind, idempotency, output }: DescMethod): boolean {
  const isRead = methodKind === "unary" && idempotency === NO_SIDE_EFFECTS;
  return isRead && output.fields.some(isListOfMessages);
}

function isListOfMessages(field: DescField): boolean {
  return field.fieldKind === "list" && field.listKind === "message";
}

/** The reader of the messages may stop without a word; then the request releases what is held. */
async function* bounded(
  messages: AsyncIterable<Message>,
  admission: Admission,
  charge: (message: Message) => void,
  largeAnswer: () => Promise<Release>,
): AsyncGenerator<Message> {
  for await (const message of messages) {
    charge(message);
    if (charactersOf(message) < MIN_LARGE_CHARACTERS) yield message;
    else {
      const release = await largeAnswer();
      admission.hold(release);
      yield message;
      release();
    }
  }
}

/** The characters of all texts in a message. */
function charactersOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + charactersOf(each), 0);
}

/** The entries of a message's lists of messages. Where a oneof is all of it, those of its arm. */
export function rowsOf({ members }: DescMessage, message: Message): number {
  const fieldsOf = message as Message & Readonly<Record<string, unknown>>;
  const [only] = members;
  if (members.length === 1 && only?.kind === "oneof") {
    const { case: arm, value } = fieldsOf[only.localName] as { case?: string; value?: unknown };
    const type = only.fields.find(({ localName }) => localName === arm)?.message;
    return type !== undefined && isMessage(value) ? rowsOf(type, value) : 0;
  }
  return members
    .filter((field) => field.kind === "field" && isListOfMessages(field))
    .reduce((rows, { localName }) => rows + (fieldsOf[localName] as readonly unknown[]).length, 0);
}
