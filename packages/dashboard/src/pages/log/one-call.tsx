import type { Memory } from "@agent-memory/gen/agentmemory/v1/memory_pb";
import { api } from "../../api.ts";
import { hrefOf } from "../../route.ts";
import { Show, useLoad } from "../../ui/load.tsx";
import { Empty } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { useTitle } from "../../ui/title.ts";
import { Trail } from "../../ui/trail.tsx";
import { CALLS, loadKeyNames, tenantsOf, whoOf } from "./log.tsx";

/** A call, what was said in it, and what became of that. */
export function OneCall({ id }: { readonly id: string }) {
  const keys = useLoad(loadKeyNames, []);
  const found = useLoad((signal) => api.calls.getCall({ id }, { signal }), [id]);
  const call = found.value?.call;
  const title = call === undefined ? "Call" : (CALLS[call.rpc] ?? call.rpc);
  useTitle(title);
  return (
    <>
      <header class="page-head">
        <div>
          <Trail href={hrefOf("log")} label="Log" />
          <h1>{title}</h1>
        </div>
      </header>
      <Show of={found}>
        {({ call: told, written, replaced, rejected, question, answer }) =>
          told === undefined ? (
            <Empty title="The log does not have this call">
              <p>It is too old, or belongs to another account.</p>
            </Empty>
          ) : (
            <>
              <section class="card" aria-label="Call">
                <dl class="pairs">
                  {[
                    ["Ended", <Time key="at" at={told.at} />],
                    ["Key", whoOf(told.actor, keys.value ?? new Map())],
                    ["Tenant", tenantsOf(told.tenantIds)],
                    ["Status", `${told.status} ${told.reason ?? ""}`],
                    ["Took", `${Math.round(told.totalMs).toLocaleString()} ms`],
                    ["Request ID", told.requestId],
                    ["Memories stored", told.savedCount.toLocaleString()],
                    ["Tokens read", told.inputTokens.toLocaleString()],
                    ["Tokens written", told.outputTokens.toLocaleString()],
                    ["Calls of models", told.modelCalls.toLocaleString()],
                  ].map(([name, value]) => (
                    <div key={name}>
                      <dt>{name}</dt>
                      <dd>
                        <bdi>{value}</bdi>
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
              {question !== undefined && (
                <section class="card" aria-label="Question">
                  <h2 dir="auto">{question}</h2>
                  <p dir="auto">{answer ?? "It was a search: there is no answer."}</p>
                </section>
              )}
              <Said written={written} />
              <Memories title="Extracted" memories={written} />
              <Memories title="Replaced" memories={replaced} />
              {rejected.length > 0 && (
                <section class="card" aria-label="Rejected">
                  <h2>Rejected</h2>
                  <ul>
                    {rejected.map(({ id: fact, fact: text, message, reason }) => (
                      <li key={fact}>
                        <span dir="auto">{text ?? message}</span> <code>{reason}</code>
                      </li>
                    ))}
                  </ul>
                </section>
              )}
            </>
          )
        }
      </Show>
    </>
  );
}

function Said({ written }: { readonly written: readonly Memory[] }) {
  const messages = new Set(written.map(({ sourceCitation }) => sourceCitation?.originalMessage));
  if (messages.size === 0) return null;
  return (
    <section class="card" aria-label="Said">
      <h2>Said</h2>
      {[...messages].map((message) => (
        <blockquote key={message} dir="auto">
          {message}
        </blockquote>
      ))}
    </section>
  );
}

function Memories({
  title,
  memories,
}: {
  readonly title: string;
  readonly memories: readonly Memory[];
}) {
  if (memories.length === 0) return null;
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {memories.map(({ id, decision }) => (
          <li key={id}>
            <a dir="auto" href={hrefOf("memories", id)}>
              {decision}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
