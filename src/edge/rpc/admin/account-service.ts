import type { DescEnum } from "@bufbuild/protobuf";
import { protoCamelCase } from "@bufbuild/protobuf/reflect";
import {
  type AccountIndexState,
  AccountIndexStateSchema,
  AccountLimitsSchema,
  type Account as AccountMessage,
  AccountService,
  type CreateAccountIndexRequest,
  type DeleteAccountIndexRequest,
  type PlanStatus as PlanStatusMessage,
  PlanStatusSchema,
  type PlanTier as PlanTierMessage,
  PlanTierSchema,
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
import { isUnlimited } from "../../rate-limit.ts";
import { readFields, readInstant, readLabel, readPage } from "../fields.ts";
import { implement } from "../handlers.ts";

const MAX_COMPANY_ID_CHARACTERS = 256;

/** The number of a word of the domain, which the value of the enum has as its name. */
function numberOf<Value extends number>({ values }: DescEnum, word: string): Value {
  return values.find(({ localName }) => localName.toLowerCase() === word)?.number as Value;
}

export function accountService(
  context: EmbeddingContext,
  indexes: AccountIndexes,
  unlimitedId: CompanyId | null,
) {
  const ownerOf = (request: CreateAccountIndexRequest | DeleteAccountIndexRequest) => ({
    companyId: readCompanyId(request.companyId),
    ...readFields(request, ["tenantId"]),
  });
  const accountMessage = (overview: AccountOverview) => messageOf(overview, unlimitedId);
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
  return {
    ...index,
    state: numberOf<AccountIndexState>(AccountIndexStateSchema, index.state),
    active: isActive,
  };
}

/** Throws `invalid_field`. */
export function readCompanyId(value: string): CompanyId {
  return toCompanyId(readLabel("company_id", value, MAX_COMPANY_ID_CHARACTERS));
}

const LIMITS = AccountLimitsSchema.fields.map(({ localName }) => localName);
/** The fields that the paths of a mask name. */
const MASK_PATHS = new Map<string, readonly string[]>([
  ...["plan_tier", "plan_status", "period_start", "grace_ends_at"].map(
    (name) => [name, [protoCamelCase(name)]] as const,
  ),
  ["own_limits", LIMITS],
  ...AccountLimitsSchema.fields.map(
    ({ name, localName }) => [`own_limits.${name}`, [localName]] as const,
  ),
]);
/** Without a value they follow the tier again. */
const CLEARED: readonly string[] = ["graceEndsAt", ...LIMITS];

function readChange({ account, updateMask }: UpdateAccountRequest): AccountChange {
  const set = setFields(account);
  const paths = updateMask?.paths ?? [];
  if (paths.length === 0) return set;
  const changes = paths.flatMap((path) => {
    const names = MASK_PATHS.get(path);
    if (names === undefined) throw invalidField(`update_mask.${path}`, "cannot be changed");
    return names.map((name): [string, unknown] => {
      const value = set[name as keyof AccountChange] ?? (CLEARED.includes(name) ? null : undefined);
      if (value === undefined) throw invalidField(path, "must have a value");
      return [name, value];
    });
  });
  return Object.fromEntries(changes);
}

/** The fields that are set, of those that the operator may set. */
function setFields(account: AccountMessage | undefined): AccountChange {
  if (account === undefined) throw invalidField("account", "is required");
  const { writesLimit, graceDays, rate, burst } = account.ownLimits ?? {};
  return {
    planTier: readWord<PlanTier>("plan_tier", account.planTier, PlanTierSchema),
    planStatus: readWord<PlanStatus>("plan_status", account.planStatus, PlanStatusSchema),
    periodStart: readInstant("period_start", account.periodStart) ?? undefined,
    graceEndsAt: readInstant("grace_ends_at", account.graceEndsAt) ?? undefined,
    ...{ writesLimit, graceDays, rate, burst },
  };
}

/** The word that stands for the value of an enum; undefined: none was given. */
function readWord<Word extends string>(field: string, value: number, { values }: DescEnum) {
  if (value === 0) return undefined;
  const words = values.slice(1).map(({ localName }) => localName.toLowerCase());
  const found = values.findIndex(({ number }) => number === value);
  if (found === -1) throw invalidField(field, `must be one of ${words.join(", ")}`);
  return words[found - 1] as Word;
}

/** An account as the operator is sent it. */
function messageOf({ account, limits, usage }: AccountOverview, unlimitedId: CompanyId | null) {
  const { writesLimit, graceDays, rate, burst } = account;
  const withoutRate = { ...limits, rate: undefined, burst: undefined };
  return {
    ...account,
    ...usage,
    limits: isUnlimited(account, unlimitedId) ? withoutRate : limits,
    planTier: numberOf<PlanTierMessage>(PlanTierSchema, account.planTier),
    planStatus: numberOf<PlanStatusMessage>(PlanStatusSchema, account.planStatus),
    ownLimits: { writesLimit, graceDays, rate, burst },
  };
}
