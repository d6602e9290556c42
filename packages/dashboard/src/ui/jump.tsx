import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { go, hrefOf } from "../route.ts";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./field.tsx";
import { useLoad } from "./load.tsx";

const MAX_TENANTS = 8;

interface JumpProps {
  readonly pages: readonly { readonly name: string; readonly label: string }[];
  readonly onClose: () => void;
}

/** Leads to a page or a tenant by what its name holds, or to what is searched or asked. */
export function Jump({ pages, onClose }: JumpProps) {
  const [text, setText] = useState("");
  const wanted = text.trim();
  const tenants = useLoad(
    async (signal) =>
      wanted === "" ? [] : (await api.tenants.listTenants({ search: wanted }, { signal })).tenants,
    [wanted],
  );
  const links = pages
    .filter(({ label }) => label.toLowerCase().includes(wanted.toLowerCase()))
    .map(({ name, label }) => [label, hrefOf(name)] as const);
  for (const { tenantId: tenant = "" } of tenants.value?.slice(0, MAX_TENANTS) ?? []) {
    links.push([tenant, hrefOf("memories", null, { tenant })]);
  }
  if (wanted !== "") {
    links.push([
      `Search for “${wanted}”`,
      hrefOf("memories", null, { search: wanted, all: "yes" }),
    ]);
    links.push([`Ask “${wanted}”`, hrefOf("ask", null, { question: wanted })]);
  }
  const open = (event: Event, href: string | undefined) => {
    event.preventDefault();
    if (href === undefined) return;
    onClose();
    go(href);
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <form onSubmit={(event) => open(event, links[0]?.[1])}>
        <TextField label="A page, a tenant or words" type="search" value={text} onText={setText} />
        <ul class="jump">
          {links.map(([label, href]) => (
            <li key={href}>
              <a dir="auto" href={href} onClick={(event) => open(event, href)}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </form>
    </Dialog>
  );
}
