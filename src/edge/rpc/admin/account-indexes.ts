import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  type AccountIndexSchema,
  AccountIndexState,
  type AccountService,
} from "../../../../gen/agentmemory/admin/v1/account_service_pb.ts";
import type { AccountIndexMaker, ShownIndex } from "../../../service/admin/account-indexes.ts";
import type { EmbeddingContext } from "../../../service/context.ts";
import { readTenantId } from "../memory-queries.ts";
import { readCompanyId } from "./company-id.ts";

type IndexMethods = Pick<
  ServiceImpl<typeof AccountService>,
  "createAccountIndex" | "deleteAccountIndex" | "listAccountIndexes"
>;

const STATES: { readonly [state in ShownIndex["state"]]: AccountIndexState } = {
  building: AccountIndexState.BUILDING,
  ready: AccountIndexState.READY,
  broken: AccountIndexState.BROKEN,
};

/** The methods of AccountService that are about indexes of accounts' own. */
export function accountIndexMethods(
  context: EmbeddingContext,
  maker: AccountIndexMaker,
): IndexMethods {
  const ownerOf = (request: { readonly companyId: string; readonly tenantId?: string }) => ({
    companyId: readCompanyId(request.companyId),
    tenantId: readTenantId(request),
  });
  return {
    async createAccountIndex(request) {
      return { index: indexMessage(await maker.create(context, ownerOf(request))) };
    },

    async deleteAccountIndex(request) {
      return { deletedCount: await maker.remove(context, ownerOf(request)) };
    },

    async listAccountIndexes() {
      return { indexes: (await maker.list(context)).map(indexMessage) };
    },
  };
}

function indexMessage(index: ShownIndex): MessageInitShape<typeof AccountIndexSchema> {
  const { companyId, tenantId, state, isActive } = index;
  return { companyId, tenantId: tenantId ?? undefined, state: STATES[state], active: isActive };
}
