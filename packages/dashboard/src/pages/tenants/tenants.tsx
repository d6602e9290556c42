import { api } from "../../api.ts";
import { go, goWith, hrefOf, route } from "../../route.ts";
import { Choice, TextField } from "../../ui/field.tsx";
import { Show, useLoad } from "../../ui/load.tsx";
import { Empty } from "../../ui/notice.tsx";
import { Pager, pageTokenOfAddress } from "../../ui/pager.tsx";
import { Time } from "../../ui/time.tsx";

const ORDERS = [
  ["last_write_at", "Last write"],
  ["last_question_at", "Last question"],
  ["current_count", "Most memories"],
  ["name", "Name"],
] as const;

/** The first page: the tenants, where there are others than the default one. */
export function FrontDoor() {
  const found = useLoad(async (signal) => {
    const { tenants, totalCount } = await api.tenants.listTenants({}, { signal });
    const isOfDefault = totalCount < 2 && tenants.every(({ tenantId }) => tenantId === undefined);
    go(hrefOf(isOfDefault ? "memories" : "tenants"), { replace: true });
  }, []);
  return <Show of={found}>{() => null}</Show>;
}

/** Whom the account remembers things of. */
export function Tenants() {
  const { query } = route.value;
  const search = query.get("search") ?? "";
  const order = query.get("order") ?? ORDERS[0][0];
  const pageToken = pageTokenOfAddress();
  const found = useLoad(
    (signal) => api.tenants.listTenants({ search, order, pageToken }, { signal }),
    [search, order, pageToken],
  );
  const first = { page: undefined, n: undefined };
  return (
    <>
      <header class="page-head">
        <div>
          <h1>Tenants</h1>
          <p>Whose memories there are, and when they were last written and asked for.</p>
        </div>
        <a class="button" href={hrefOf("memories", null, { all: "yes" })}>
          Search all tenants
        </a>
      </header>
      <search class="card filters">
        <div class="filter-row">
          <TextField
            label="Name"
            type="search"
            value={search}
            placeholder="Part of a name"
            onEntered={(text) => goWith({ ...first, search: text })}
          />
          <Choice
            label="Order"
            value={order}
            options={ORDERS}
            onChoose={(chosen) => goWith({ ...first, order: chosen })}
          />
        </div>
      </search>
      <Show of={found}>
        {({ tenants, totalCount, nextPageToken }) =>
          tenants.length === 0 ? (
            <Empty title={search === "" ? "No tenants yet" : "No tenant has such a name"}>
              <p>A tenant is listed here once it has a memory.</p>
            </Empty>
          ) : (
            <>
              <p class="hint" role="status">
                {tenants.length.toLocaleString()} of {totalCount.toLocaleString()} tenants
              </p>
              <TenantTable tenants={tenants} />
              <Pager nextPageToken={nextPageToken} label="Pages of tenants" />
            </>
          )
        }
      </Show>
    </>
  );
}

type Listed = Awaited<ReturnType<typeof api.tenants.listTenants>>["tenants"];

function TenantTable({ tenants }: { readonly tenants: Listed }) {
  return (
    <div class="table">
      <table class="stacked">
        <thead>
          <tr>
            <th scope="col">Tenant</th>
            <th scope="col" class="number">
              Current memories
            </th>
            <th scope="col">Last write</th>
            <th scope="col">Last question</th>
          </tr>
        </thead>
        <tbody>
          {tenants.map(({ tenantId, currentCount, lastWriteAt, lastQuestionAt }) => (
            <tr key={tenantId ?? ""}>
              <th scope="row">
                <a dir="auto" href={hrefOf("memories", null, { tenant: tenantId })}>
                  {tenantId ?? "Default tenant"}
                </a>
              </th>
              <td class="number" data-label="Current memories">
                {currentCount.toLocaleString()}
              </td>
              <td data-label="Last write">
                <Time at={lastWriteAt} />
              </td>
              <td data-label="Last question">
                <Time at={lastQuestionAt} none="None logged" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** In place of an empty list of the default tenant: who has memories, or what to do first. */
export function WhoHasMemories() {
  const found = useLoad((signal) => api.tenants.listTenants({}, { signal }), []);
  return (
    <Show of={found}>
      {({ tenants, totalCount }) =>
        totalCount === 0 ? (
          <Empty title="No memories yet">
            <p>
              Make <a href={hrefOf("keys")}>a key</a> and paste one of its lines: what it writes is
              listed here.
            </p>
          </Empty>
        ) : (
          <>
            <Empty title="The default tenant has no current memories">
              <p>
                These <a href={hrefOf("tenants")}>tenants</a> have memories.
              </p>
            </Empty>
            <TenantTable tenants={tenants} />
          </>
        )
      }
    </Show>
  );
}
