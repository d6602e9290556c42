import type { DescService } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImplSpec } from "@connectrpc/connect";
import { CallService } from "../../../../gen/agentmemory/dashboard/v1/call_service_pb.ts";
import { ChainService } from "../../../../gen/agentmemory/dashboard/v1/chain_service_pb.ts";
import { KnownValueService } from "../../../../gen/agentmemory/dashboard/v1/known_value_service_pb.ts";
import { ApiKeyService } from "../../../../gen/agentmemory/dashboard/v1/own_api_key_service_pb.ts";
import {
  type EraseMemoriesRequest,
  ErasureService,
} from "../../../../gen/agentmemory/dashboard/v1/own_erasure_service_pb.ts";
import { ReviewService } from "../../../../gen/agentmemory/dashboard/v1/review_service_pb.ts";
import {
  SessionService,
  SignInService,
} from "../../../../gen/agentmemory/dashboard/v1/session_service_pb.ts";
import { TenantService } from "../../../../gen/agentmemory/dashboard/v1/tenant_service_pb.ts";
import type { DecisionKind, HumanVerdict } from "../../../domain/decision.ts";
import { type ErasureScope, WHOLE_ACCOUNT } from "../../../domain/erasure.ts";
import { Failure, invalidField } from "../../../domain/failure.ts";
import { toMemoryId } from "../../../domain/ids.ts";
import type { KnownValueField } from "../../../domain/memory.ts";
import type { IdentityProvider } from "../../../identity/openid.ts";
import { renameApiKey, revokeApiKey } from "../../../service/admin/api-keys.ts";
import {
  CALL_FILTERS,
  type CallLog,
  findOwnCall,
  getUsage,
  listOwnCalls,
} from "../../../service/call-log.ts";
import type { MemoryContext, ServiceContext } from "../../../service/context.ts";
import { eraseConfirmed } from "../../../service/erasure.ts";
import { countMemories, listKnownValues } from "../../../service/memories.ts";
import { settingsOfKey } from "../../../service/plan.ts";
import {
  dismissRejected,
  getDecisionRecord,
  judgeDecision,
  listChainEnds,
  listChanges,
  listDecisions,
  listRejected,
} from "../../../service/reviews.ts";
import { closeSession, signInByLink } from "../../../service/sessions.ts";
import { supersedeMemory } from "../../../service/supersede-memory.ts";
import { listTenants, type TenantQuery } from "../../../service/tenants.ts";
import { admissionOf } from "../../admission.ts";
import { isOfDashboard } from "../../gate.ts";
import type { AddService } from "../../rpc-handler.ts";
import { sessionCookie } from "../../sign-in-pages.ts";
import { keyHandlers, retentionHandlers } from "../admin/services.ts";
import { readFields, readGiven, readMemoryId, readUuid } from "../fields.ts";
import { callerOf, type Handlers, implement } from "../handlers.ts";
import { memoryMessage, readErasureFields, readListQuery } from "../memory-messages.ts";
import { searchHandler } from "../memory-service.ts";
import { readSettingsChange } from "../settings-service.ts";

/** Adds what pages of the dashboard call besides the API: of the account that calls. */
export function addDashboardServices(
  add: AddService,
  context: MemoryContext,
  callLog: CallLog,
  options: Parameters<AddService>[1],
): void {
  const own = <Service extends DescService>(service: Service, handlers: Handlers<Service>) =>
    add(implement(service, handlers), options);

  own(ApiKeyService, {
    ...keyHandlers(context, (_: object, call) => callerOf(call).companyId),
    async revokeApiKey(request, call) {
      return { apiKey: await revokeApiKey(context, callerOf(call).db, readUuid("id", request.id)) };
    },
    async renameApiKey(request, call) {
      const id = readUuid("id", request.id);
      const { name } = readFields(request, ["name"]);
      await renameApiKey(callerOf(call).db, id, name);
      return {};
    },
    async getApiKeySettings(request, call) {
      return { settings: await settingsOfKey(callerOf(call), readUuid("id", request.id)) };
    },
    async updateApiKeySettings(request, call) {
      const id = readUuid("id", request.id);
      const change = readSettingsChange(request);
      return { settings: await settingsOfKey(callerOf(call), id, change) };
    },
  });
  own(ErasureService, {
    eraseMemories(request, call) {
      const { db } = callerOf(call);
      return eraseConfirmed(context, db, "dashboard", readOwnScope(request), request.confirmed);
    },
    ...retentionHandlers(context, (_: object, call) => callerOf(call).db),
  });

  own(ReviewService, {
    getRecord: (_, call) => getDecisionRecord(context, callerOf(call)),
    async listDecisions(request, call) {
      const { onlyOpen, pageToken = null } = request;
      const { kind, ...given } = readFields(request, [
        "tenantId",
        "apiKeyId",
        "minConfidence",
        "belowConfidence",
        "kind",
      ]);
      const filter = { ...given, kind: kind as DecisionKind | null, onlyOpen };
      const page = await listDecisions(context, callerOf(call), filter, pageToken);
      const now = context.now();
      const decisions = page.entries.map(({ memory, replacement, ...decision }) => ({
        ...decision,
        memory: memoryMessage(memory, now),
        replacement: replacement && memoryMessage(replacement, now),
      }));
      return { ...page, decisions };
    },
    async judgeDecision(request, call) {
      const key = {
        decidedIn: readMemoryId("decided_in", request.decidedIn),
        sequence: request.sequence,
        memoryId: readMemoryId("memory_id", request.memoryId),
      };
      const { verdict } = readFields(request, ["verdict"]);
      await judgeDecision(context, callerOf(call), key, verdict as HumanVerdict | null);
      return {};
    },
    async listRejectedFacts({ pageToken = null }, call) {
      const page = await listRejected(context, callerOf(call), pageToken);
      return { ...page, rejectedFacts: page.entries };
    },
    async dismissRejectedFact({ id }, call) {
      await dismissRejected(context, callerOf(call), readUuid("id", id));
      return {};
    },
  });

  own(ChainService, {
    async listEnds(request, call) {
      const { memoryIds } = readFields(request, ["memoryIds"]);
      if (memoryIds.length === 0) throw invalidField("memory_ids", "is required");
      return { ends: await listChainEnds(context, callerOf(call), memoryIds.map(toMemoryId)) };
    },
    async correctMemory(request, call) {
      const memoryId = readMemoryId("memory_id", request.memoryId);
      const supersededBy = readMemoryId("superseded_by", request.supersededBy);
      const because = readGiven(request, ["reason"]);
      const asked = { supersededBy, validTo: null };
      await supersedeMemory(context, callerOf(call), memoryId, asked, null, because);
      return {};
    },
    async listChanges(request, call) {
      const { tenantId } = readFields(request, ["tenantId"]);
      const query = { ...readGiven(request, ["after", "until"]), tenantId };
      const { isByLearning } = request;
      const found = await listChanges(context, callerOf(call), { ...query, isByLearning });
      const now = context.now();
      const changes = found.changes.map(({ memory, ...change }) => ({
        ...change,
        memory: memoryMessage(memory, now),
      }));
      return { ...found, changes };
    },
  });

  own(KnownValueService, {
    async listKnownValues(request, call) {
      const { field, prefix } = readGiven(request, ["field", "prefix"]);
      const { tenantId } = readFields(request, ["tenantId"]);
      const query = { field: field as KnownValueField, prefix, tenantId };
      return { values: await listKnownValues(context, callerOf(call), query) };
    },
  });

  own(TenantService, {
    async listTenants(request, call) {
      const { search, order } = readGiven(request, ["search", "order"]);
      const query = { search, order: order as TenantQuery["order"] };
      const { pageToken = null } = request;
      const page = await listTenants(context, callLog, callerOf(call), query, pageToken);
      return { ...page, tenants: page.entries };
    },
    countMemories: (request, call) =>
      countMemories(context, callerOf(call), readListQuery(request)),
    searchEveryTenant: searchHandler(context, true),
  });

  own(CallService, {
    async listCalls(request, call) {
      const { pageToken, ...filter } = readFields(request, ["pageToken", ...CALL_FILTERS]);
      const page = await listOwnCalls(callLog, callerOf(call), filter, pageToken);
      return { ...page, calls: page.entries };
    },
    async getCall(request, call) {
      const found = await findOwnCall(callLog, callerOf(call), readUuid("id", request.id));
      if (found === null) return {};
      const written = found.written.map((memory) => memoryMessage(memory, context.now()));
      const replaced = found.replaced.map((memory) => memoryMessage(memory, context.now()));
      const { question, answer } = found.call;
      return { ...found, written, replaced, question, answer };
    },
    getUsage: (request, call) =>
      getUsage(context, callLog, callerOf(call), readGiven(request, ["days"]).days),
  });
}

/** A person may also erase of the default tenant, and everything, by saying so. */
function readOwnScope({ memoryId, scope, wholeAccount }: EraseMemoriesRequest): ErasureScope {
  if ([memoryId !== undefined, scope !== undefined, wholeAccount].filter(Boolean).length !== 1) {
    throw invalidField("scope", "or one of `memory_id` and `whole_account` must be given");
  }
  if (memoryId !== undefined)
    return { ...WHOLE_ACCOUNT, memoryId: readMemoryId("memory_id", memoryId) };
  if (scope === undefined) return WHOLE_ACCOUNT;
  return { ...WHOLE_ACCOUNT, ...readErasureFields(scope) };
}

/** Throws `unauthenticated`, before the body is read, where no page of the dashboard signs in. */
export function checkSignIn(call: HandlerContext): void {
  if (call.method !== SignInService.method.signIn) return;
  if (!isOfDashboard(call.requestHeader, admissionOf(call.values))) {
    throw new Failure("unauthenticated", "only a page of the dashboard signs in");
  }
}

/** The handler of SignInService, behind `checkSignIn`. */
export function createSignInService(
  context: ServiceContext,
  methods: { readonly hasProvider: boolean; readonly adminPort: number | undefined },
): ServiceImplSpec {
  return implement(SignInService, {
    getSignInMethods: () => methods,
    async signIn({ token }, { values, responseHeader }) {
      const session = await signInByLink(context, token);
      responseHeader.set("set-cookie", sessionCookie(session, admissionOf(values)));
      return {};
    },
  });
}

/** The handlers of SessionService. `provider`: null where none signs in. */
export function createSessionService(context: ServiceContext, provider: IdentityProvider | null) {
  /** A session that the provider did not begin is none of its business. */
  async function endSessionUrl(idToken: string | null): Promise<string | undefined> {
    if (idToken === null) return undefined;
    try {
      return (await provider?.endSessionUrl(idToken)) ?? undefined;
    } catch (err) {
      context.log.warn({ err }, "nobody could be signed out at the identity provider");
      return undefined;
    }
  }

  return implement(SessionService, {
    getSession: (_, call) => ({ companyId: callerOf(call).companyId }),
    async signOut(_, call) {
      const idToken = await closeSession(context, callerOf(call));
      call.responseHeader.set("set-cookie", sessionCookie("", admissionOf(call.values)));
      return { endSessionUrl: await endSessionUrl(idToken) };
    },
  });
}
