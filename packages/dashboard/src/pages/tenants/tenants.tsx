import type { Tenant } from "@agent-memory/gen/agentmemory/dashboard/v1/tenant_service_pb";
import { api } from "../../api.ts";
import { go, hrefOf, route } from "../../route.ts";
import { FilterChoice, FilterField } from "../../ui/field.tsx";
import { type Column, Counted, Pager, pageTokenOfAddress, Table } from "../../ui/list.tsx";
import { Show, useLoad } from "../../ui/load.tsx";
import { Empty, PageHead } from "../../ui/page.tsx";
import { Time } from "../../ui/value.tsx";

const ORDERS = {
  "": "Last write",
  last_question_at: "Last question",
  current_count: "Most memories",
  name: "Name",
};
/** Further memories of a tenant are not counted. */
const MAX_COUNTED = 10_000;

/** What the front door found, for the page that it leads to at once. */
let firstPage: Awaited<ReturnType<typeof api.tenants.listTenants>> | null = null;

/** The first page: leads who is still there to the tenants, where there are others than the default. */
export function FrontDoor() {
  const found = useLoad(async (signal) => {
    const page = await api.tenants.listTenants({}, { signal });
    const { tenants, totalCount } = page;
    const isOfDefault = totalCount < 2 && tenants.every(({ tenantId }) => tenantId === undefined);
    firstPage = isOfDefault ? null : page;
    const href = hrefOf(isOfDefault ? "memories" : "tenants");
    if (route.value.page === "") go(href, { replace: true });
  }, []);
  return <Show of={found}>{() => null}</Show>;
}

export function Tenants() {
  const { query } = route.value;
  const search = query.get("search") ?? "";
  const asked = { search, order: query.get("order") || undefined, pageToken: pageTokenOfAddress() };
  const found = useLoad(async (signal) => {
    const known = Object.values(asked).some(Boolean) ? null : firstPage;
    firstPage = null;
    return known ?? api.tenants.listTenants(asked, { signal });
  }, Object.values(asked));
  return (
    <>
      <PageHead
        title="Tenants"
        about="Whose memories there are, and when they were last written and asked for."
      >
        <a class="button" href={hrefOf("memories", null, { all: "yes" })}>
          Search all tenants
        </a>
      </PageHead>
      <search class="card filters">
        <div class="filter-row">
          <FilterField name="search" label="Name" type="search" placeholder="Part of a name" />
          <FilterChoice name="order" label="Order" options={ORDERS} />
        </div>
      </search>
      <Show of={found}>
        {({ tenants, totalCount, isMore, nextPageToken }) =>
          tenants.length === 0 ? (
            <Empty title={search === "" ? "No tenants yet" : "No tenant has such a name"}>
              A tenant is listed here once it has a memory.
            </Empty>
          ) : (
            <>
              <Counted
                shown={tenants.length}
                total={totalCount}
                isMore={isMore}
                what={`tenants${isMore ? ", the first by name. A search finds any by how it begins" : ""}`}
              />
              <Table rows={tenants} columns={COLUMNS} keyOf={keyOf} />
              <Pager nextPageToken={nextPageToken} label="Pages of tenants" />
            </>
          )
        }
      </Show>
    </>
  );
}

const COLUMNS: readonly Column<Tenant>[] = [
  {
    name: "Tenant",
    cellOf: ({ tenantId }) => (
      <a dir="auto" href={hrefOf("memories", null, { tenant: tenantId })}>
        {tenantId ?? "Default tenant"}
      </a>
    ),
  },
  {
    name: "Current memories",
    isNumber: true,
    cellOf: ({ currentCount }) =>
      `${currentCount.toLocaleString()}${currentCount < MAX_COUNTED ? "" : " or more"}`,
  },
  { name: "Last write", cellOf: ({ lastWriteAt }) => <Time at={lastWriteAt} /> },
  {
    name: "Last question",
    cellOf: ({ lastQuestionAt }) => <Time at={lastQuestionAt} none="None logged" />,
  },
];

const keyOf = ({ tenantId = "" }: Tenant) => tenantId;

/** In place of an empty list of the default tenant: who has memories, or what to do first. */
export function WhoHasMemories() {
  const found = useLoad((signal) => api.tenants.listTenants({}, { signal }), []);
  return (
    <Show of={found}>
      {({ tenants, totalCount }) =>
        totalCount === 0 ? (
          <Empty title="No memories yet">
            Make <a href={hrefOf("keys")}>a key</a> and paste one of its lines: what it writes is
            listed here.
          </Empty>
        ) : (
          <>
            <Empty title="The default tenant has no current memories">
              These <a href={hrefOf("tenants")}>tenants</a> have memories.
            </Empty>
            <Table rows={tenants} columns={COLUMNS} keyOf={keyOf} />
          </>
        )
      }
    </Show>
  );
}
