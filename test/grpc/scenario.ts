import { expect } from "vitest";
import type { FailureReason } from "../../src/domain/failure.ts";
import { FAILURE_STATUS } from "../../src/edge/error-mapping.ts";
import type { AccountChange } from "../../src/service/admin/accounts.ts";
import type { TestAccount, TestService } from "../support/service.ts";
import type {
  ApiClient,
  ApiError,
  ApiRequest,
  CallOptions,
  Json,
  Rpc,
  Streamed,
  StreamRpc,
} from "./clients/api-client.ts";
import { codeName } from "./code-name.ts";

/** Calls and what must come of them, whatever protocol they are made in. */
export interface Scenario {
  /** The guarantee, as a sentence. */
  readonly name: string;
  /** Every failure that it provokes. */
  readonly failures?: readonly FailureReason[];
  run(api: Api): Promise<void>;
}

export interface ExpectedFailure {
  readonly reason: FailureReason;
  /** Field at fault, as the caller wrote it. */
  readonly field?: string;
  /** Whether the caller is told how long to wait. */
  readonly retry?: boolean;
}

/** What a scenario calls: one protocol, one fresh account. */
export interface Api {
  readonly service: TestService;
  readonly account: TestAccount;
  /** A call that must succeed; returns the answer. */
  ok(rpc: Rpc, request?: ApiRequest, options?: Partial<CallOptions>): Promise<Json>;
  /** A call that must be refused so. */
  fails(
    expected: ExpectedFailure,
    rpc: Rpc,
    request?: ApiRequest,
    options?: Partial<CallOptions>,
  ): Promise<ApiError>;
  /** A stream that must come to its end; returns its messages. */
  streams(
    rpc: StreamRpc,
    request: ApiRequest,
    options?: Partial<CallOptions>,
  ): Promise<readonly Streamed[]>;
  /** A stream that must end so, before its first message or behind those that it returns. */
  breaksOff(
    expected: ExpectedFailure,
    rpc: StreamRpc,
    request: ApiRequest,
    options?: Partial<CallOptions>,
  ): Promise<readonly Streamed[]>;
  /** The same protocol with another fresh account. */
  another(change?: AccountChange): Promise<Api>;
  /** Every answer so far, in order, in a form that is equal for equal behaviour. */
  readonly transcript: readonly TranscriptEntry[];
}

export type TranscriptEntry =
  | { readonly rpc: Rpc | StreamRpc; readonly body: Json }
  | (Pick<ApiError, "reason" | "detail"> & {
      readonly rpc: StreamRpc;
      readonly messages: readonly Streamed[];
    })
  | (Pick<ApiError, "reason" | "detail" | "partial"> & { readonly rpc: Rpc });

/** Not about the rate limit, unless a scenario sets one. */
const UNLIMITED: AccountChange = { rate: 1_000_000, burst: 1_000_000 };

export async function createApi(
  service: TestService,
  client: ApiClient,
  change: AccountChange = {},
  transcript: TranscriptEntry[] = [],
): Promise<Api> {
  const account = await service.createAccount({ ...UNLIMITED, ...change });
  const call = (rpc: Rpc, request: ApiRequest = {}, options: Partial<CallOptions> = {}) =>
    client.call(rpc, request, { key: account.key, ...options });
  return {
    service,
    account,
    transcript,
    async ok(rpc, request, options) {
      const outcome = await call(rpc, request, options);
      if (!outcome.ok) throw new Error(`${rpc} failed: ${JSON.stringify(outcome.error)}`);
      transcript.push({ rpc, body: outcome.body });
      return outcome.body;
    },
    async fails(expected, rpc, request, options) {
      const outcome = await call(rpc, request, options);
      if (outcome.ok) throw new Error(`${rpc} succeeded: ${JSON.stringify(outcome.body)}`);
      const { error } = outcome;
      expectFailure(client, error, expected);
      const { reason, detail, partial } = error;
      transcript.push({ rpc, reason, detail, partial });
      return error;
    },
    async streams(rpc, request, options) {
      const asked = { key: account.key, ...options };
      const { messages, error } = await client.stream(rpc, request, asked);
      if (error !== null) throw new Error(`${rpc} failed: ${JSON.stringify(error)}`);
      transcript.push({ rpc, body: messages });
      return messages;
    },
    async breaksOff(expected, rpc, request, options) {
      const asked = { key: account.key, ...options };
      const { messages, error } = await client.stream(rpc, request, asked);
      if (error === null) throw new Error(`${rpc} succeeded: ${JSON.stringify(messages)}`);
      if (messages.length === 0) expectFailure(client, error, expected);
      const { reason, detail } = error;
      expect(reason).toBe(expected.reason);
      transcript.push({ rpc, messages, reason, detail });
      return messages;
    },
    another: (change) => createApi(service, client, change, transcript),
  };
}

/** D13, D13a, D15: reason, status or code, field, wait. */
function expectFailure(
  { protocol }: ApiClient,
  error: ApiError,
  { reason, field, retry = false }: ExpectedFailure,
): void {
  const { http, code } = FAILURE_STATUS[reason];
  expect(error).toMatchObject({
    reason,
    ...(protocol === "rest" ? { status: http } : { code: codeName(code) }),
  });
  expect(error.detail).toMatch(/\w+ \w+/);
  if (field !== undefined) {
    expect(error.detail).toContain(`\`${field}\``);
    expect(error.field).toBe(field);
  }
  if (retry) expect(error.retryAfterSeconds).toBeGreaterThanOrEqual(1);
  else expect(error.retryAfterSeconds).toBeNull();
}
