import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../../gen/agentmemory/admin/v1/admin_service_pb.ts";
import { createAccount } from "../../../service/admin/create-account.ts";
import { getAccount } from "../../../service/admin/get-account.ts";
import { listAccounts } from "../../../service/admin/list-accounts.ts";
import { updateAccount } from "../../../service/admin/update-account.ts";
import type { ServiceContext } from "../../../service/context.ts";
import { readInstant, readWholeNumber } from "../fields.ts";
import { accountMessage } from "./account-message.ts";
import { readCompanyId } from "./company-id.ts";

export const MAX_ACCOUNTS_PAGE_SIZE = 1_000;

const PAGE_SIZE = { min: 1, max: MAX_ACCOUNTS_PAGE_SIZE, fallback: MAX_ACCOUNTS_PAGE_SIZE };

export function accountService(context: ServiceContext): ServiceImpl<typeof AccountService> {
  return {
    async createAccount(request) {
      const overview = await createAccount(context, {
        companyId: readCompanyId(request.companyId),
        planTier: request.planTier,
        writesLimit: request.writesLimit,
      });
      return { account: accountMessage(overview) };
    },

    async updateAccount(request) {
      const overview = await updateAccount(context, readCompanyId(request.companyId), {
        planTier: request.planTier,
        planStatus: request.planStatus,
        writesLimit: request.writesLimit,
        graceDays: request.graceDays,
        rate: request.rate,
        burst: request.burst,
        periodStart: readInstant("period_start", request.periodStart) ?? undefined,
        graceEndsAt: readInstant("grace_ends_at", request.graceEndsAt) ?? undefined,
      });
      return { account: accountMessage(overview) };
    },

    async getAccount(request) {
      const overview = await getAccount(context, readCompanyId(request.companyId));
      return { account: accountMessage(overview) };
    },

    async listAccounts(request) {
      const page = await listAccounts(context, {
        pageSize: readWholeNumber("page_size", request.pageSize, PAGE_SIZE),
        pageToken: request.pageToken,
      });
      return {
        accounts: page.accounts.map(accountMessage),
        nextPageToken: page.nextPageToken ?? undefined,
      };
    },
  };
}
