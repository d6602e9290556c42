import type { MessageShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  AccountIndexState,
  type Account as AccountMessage,
  type AccountSchema,
  AccountService,
  type CreateAccountIndexRequest,
  type DeleteAccountIndexRequest,
  PlanStatus as PlanStatusMessage,
  PlanTier as PlanTierMessage,
  type UpdateAccountRequest,
} from "../../../../gen/agentmemory/admin/v1/account_service_pb.ts";
import type { PlanStatus, PlanTier } from "../../../domain/account.ts";
import { invalidField } from "../../../domain/failure.ts";
import { type CompanyId, toCompanyId } from "../../../domain/ids.ts";
import type { AccountIndexes, ShownIndex } from "../../../service/account-indexes.ts";
import {
  type AccountChange,
  type AccountOverview,
  countAccountMemories,
  createAccount,
  deleteAccount,
  getAccount,
  listAccounts,
  suspendAccount,
  updateAccount,
} from "../../../service/admin/accounts.ts";
import type { EmbeddingContext } from "../../../service/context.ts";
import { readFields, readInstant, readLabel, readPage } from "../fields.ts";
import { implement, type Plain } from "../handlers.ts";

const MAX_COMPANY_ID_CHARACTERS = 256;

const PLAN_TIERS: { readonly [tier in PlanTier]: PlanTierMessage } = {
  starter: PlanTierMessage.STARTER,
  pro: PlanTierMessage.PRO,
};
const PLAN_STATUSES: { readonly [status in PlanStatus]: PlanStatusMessage } = {
  active: PlanStatusMessage.ACTIVE,
  past_due: PlanStatusMessage.PAST_DUE,
  canceled: PlanStatusMessage.CANCELED,
};

const INDEX_STATES: { readonly [state in ShownIndex["state"]]: AccountIndexState } = {
  building: AccountIndexState.BUILDING,
  ready: AccountIndexState.READY,
  broken: AccountIndexState.BROKEN,
};

export function accountService(
  context: EmbeddingContext,
  indexes: AccountIndexes,
): ServiceImpl<typeof AccountService> {
  const ownerOf = (request: CreateAccountIndexRequest | DeleteAccountIndexRequest) => ({
    companyId: readCompanyId(request.companyId),
    ...readFields(request, ["tenantId"]),
  });
  const suspended = async (companyId: string, isSuspended: boolean) => ({
    account: accountMessage(await suspendAccount(context, readCompanyId(companyId), isSuspended)),
  });
  return implement(AccountService, {
    async createAccount({ account }) {
      const { graceEndsAt, ...fields } = setFields(account);
      const companyId = readCompanyId(account?.companyId ?? "");
      if (graceEndsAt !== undefined) {
        throw invalidField("grace_ends_at", "must not be given for a new account");
      }
      return { account: accountMessage(await createAccount(context, { companyId, ...fields })) };
    },

    async updateAccount(request) {
      const companyId = readCompanyId(request.account?.companyId ?? "");
      const updated = await updateAccount(context, companyId, readChange(request));
      return { account: accountMessage(updated) };
    },

    async getAccount(request) {
      const companyId = readCompanyId(request.companyId);
      const overview = await getAccount(context, companyId);
      const counts = await countAccountMemories(context, companyId);
      return { account: accountMessage(overview), ...counts };
    },

    async deleteAccount(request) {
      const companyId = readCompanyId(request.companyId);
      const { maxMemories } = readFields(request, ["maxMemories"]);
      const { deletedCount, isDeleted } = await deleteAccount(context, companyId, maxMemories);
      return { companyId, deletedCount: BigInt(deletedCount), isPartial: !isDeleted };
    },

    suspendAccount: ({ companyId }) => suspended(companyId, true),

    unsuspendAccount: ({ companyId }) => suspended(companyId, false),

    async listAccounts(request) {
      const { entries, nextPageToken } = await listAccounts(context, readPage(request));
      return { accounts: entries.map(accountMessage), nextPageToken };
    },

    async createAccountIndex(request) {
      return { index: indexMessage(await indexes.create(context, ownerOf(request))) };
    },

    async deleteAccountIndex(request) {
      return { deletedCount: await indexes.remove(ownerOf(request)) };
    },

    async listAccountIndexes() {
      return { indexes: (await indexes.list()).map(indexMessage) };
    },
  });
}

function indexMessage({ isActive, ...index }: ShownIndex) {
  return { ...index, state: INDEX_STATES[index.state], active: isActive };
}

/** Throws `invalid_field`. */
export function readCompanyId(value: string): CompanyId {
  return toCompanyId(readLabel("company_id", value, MAX_COMPANY_ID_CHARACTERS));
}

/** The fields that the paths of a mask name. */
const MASK_PATHS: ReadonlyMap<string, readonly (keyof AccountChange)[]> = new Map([
  ["plan_tier", ["planTier"]],
  ["plan_status", ["planStatus"]],
  ["period_start", ["periodStart"]],
  ["grace_ends_at", ["graceEndsAt"]],
  ["own_limits", ["writesLimit", "graceDays", "rate", "burst"]],
  ["own_limits.writes_limit", ["writesLimit"]],
  ["own_limits.grace_days", ["graceDays"]],
  ["own_limits.rate", ["rate"]],
  ["own_limits.burst", ["burst"]],
]);

/** The value of a field that the mask names and the account leaves out. */
const CLEARED: AccountChange = {
  graceEndsAt: null,
  writesLimit: null,
  graceDays: null,
  rate: null,
  burst: null,
};

function readChange({ account, updateMask }: UpdateAccountRequest): AccountChange {
  const set = setFields(account);
  const paths = updateMask?.paths ?? [];
  if (paths.length === 0) return set;
  const changes = paths.flatMap((path) => {
    const names = MASK_PATHS.get(path);
    if (names === undefined) throw invalidField(`update_mask.${path}`, "cannot be changed");
    return names.map((name): AccountChange => {
      const value = set[name] ?? CLEARED[name];
      if (value === undefined) throw invalidField(path, "must have a value");
      return { [name]: value };
    });
  });
  return Object.assign({}, ...changes);
}

/** The fields that are set, of those that the operator may set. */
function setFields(account: AccountMessage | undefined): AccountChange {
  if (account === undefined) throw invalidField("account", "is required");
  return {
    planTier: readWord("plan_tier", account.planTier, PLAN_TIERS),
    planStatus: readWord("plan_status", account.planStatus, PLAN_STATUSES),
    periodStart: readInstant("period_start", account.periodStart) ?? undefined,
    graceEndsAt: readInstant("grace_ends_at", account.graceEndsAt) ?? undefined,
    writesLimit: account.ownLimits?.writesLimit,
    graceDays: account.ownLimits?.graceDays,
    rate: account.ownLimits?.rate,
    burst: account.ownLimits?.burst,
  };
}

/** The word that stands for the value of an enum; undefined: none was given. */
function readWord<Word extends string>(
  field: string,
  value: number,
  values: { readonly [word in Word]: number },
): Word | undefined {
  if (value === 0) return undefined;
  const words = Object.keys(values) as Word[];
  const found = words.find((word) => values[word] === value);
  if (found === undefined) throw invalidField(field, `must be one of ${words.join(", ")}`);
  return found;
}

/** An account as the operator is sent it. */
function accountMessage({
  account,
  limits,
  usage,
}: AccountOverview): Plain<MessageShape<typeof AccountSchema>> {
  const { writesLimit, graceDays, rate, burst } = account;
  return {
    ...account,
    ...usage,
    limits,
    planTier: PLAN_TIERS[account.planTier],
    planStatus: PLAN_STATUSES[account.planStatus],
    ownLimits: { writesLimit, graceDays, rate, burst },
  };
}
