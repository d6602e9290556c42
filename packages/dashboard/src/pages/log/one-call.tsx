import type { Call } from "@agent-memory/gen/agentmemory/dashboard/v1/call_service_pb";
import type { ComponentChildren } from "preact";
import { api } from "../../api.ts";
import { hrefOf } from "../../route.ts";
import { Show, useLoad } from "../../ui/load.tsx";
import { Empty } from "../../ui/notice.tsx";
import { PageHead, Trail } from "../../ui/page-head.tsx";
import { Pairs } from "../../ui/pairs.tsx";
import type { Column } from "../../ui/table.tsx";
import { useTitle } from "../../ui/title.ts";
import { useKeyNames } from "../keys/key-names.ts";
import { callColumns, callOf } from "./log.tsx";

/** What is told of a call beside what the list has. */
const MORE: readonly Column<Call>[] = [
  { name: "Memories stored", cellOf: ({ savedCount }) => savedCount.toLocaleString() },
  { name: "Calls of models", cellOf: ({ modelCalls }) => modelCalls.toLocaleString() },
  { name: "Tokens read", cellOf: ({ inputTokens }) => inputTokens.toLocaleString() },
  { name: "Tokens written", cellOf: ({ outputTokens }) => outputTokens.toLocaleString() },
];

/** A call, what was said in it, and what became of that. */
export function OneCall({ id }: { readonly id: string }) {
  const found = useLoad((signal) => api.calls.getCall({ id }, { signal }), [id]);
  const call = found.value?.call;
  const title = call === undefined ? "Call" : callOf(call.rpc);
  useTitle(title);
  const columns = [...callColumns(useKeyNames()), ...MORE];
  return (
    <>
      <PageHead title={title} trail={<Trail href={hrefOf("log")} label="Log" />} />
      <Show of={found}>
        {({ written, replaced, rejected, question, answer }) =>
          call === undefined ? (
            <Empty title="The log does not have this call">
              <p>It is too old, or belongs to another account.</p>
            </Empty>
          ) : (
            <>
              <section class="card" aria-label="Call">
                <Pairs of={columns.map(({ name, cellOf }) => [name, cellOf(call)])} />
              </section>
              {question !== undefined && (
                <section class="card" aria-label="Question">
                  <h2 dir="auto">{question}</h2>
                  <p dir="auto">{answer ?? "There is no answer."}</p>
                </section>
              )}
              <Items
                title="Said"
                items={[...new Set(written.map((of) => of.sourceCitation?.originalMessage))]}
              />
              <Items title="Extracted" items={written.map(linkOf)} />
              <Items title="Replaced" items={replaced.map(linkOf)} />
              <Items
                title="Rejected"
                items={rejected.map(
                  ({ fact, message, reason }) => `${fact ?? message} (${reason})`,
                )}
              />
            </>
          )
        }
      </Show>
    </>
  );
}

const linkOf = ({ id, decision }: { readonly id: string; readonly decision: string }) => (
  <a href={hrefOf("memories", id)}>{decision}</a>
);

interface ItemsProps {
  readonly title: string;
  readonly items: readonly ComponentChildren[];
}

function Items({ title, items }: ItemsProps) {
  if (items.length === 0) return null;
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {items.map((item, at) => (
          <li key={at} dir="auto">
            {item}
          </li>
        ))}
      </ul>
    </section>
  );
}
