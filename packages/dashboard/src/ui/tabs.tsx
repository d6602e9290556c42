import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { go, hrefOf, route } from "../route.ts";
import { Button } from "./page.tsx";

interface TabsProps {
  readonly label: string;
  /** The parameter of the address that names the tab; left out: it is in no address. */
  readonly param?: string;
  readonly tabs: readonly { readonly name: string; readonly content: ComponentChildren }[];
}

/** One of several contents at a time. The arrow keys go from tab to tab. */
export function Tabs({ label, param, tabs }: TabsProps) {
  const id = useId();
  const [inPage, setInPage] = useState(0);
  const named = param === undefined ? null : route.value.query.get(param);
  const inAddress = tabs.findIndex(({ name }) => name.toLowerCase() === named);
  const chosen = param === undefined ? inPage : Math.max(0, inAddress);
  const setChosen = (index: number) => {
    const { page, query } = route.value;
    if (param === undefined) return setInPage(index);
    const tenant = query.get("tenant") ?? undefined;
    go(hrefOf(page, null, { tenant, [param]: tabs[index]?.name.toLowerCase() }));
  };
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (chosen + step + tabs.length) % tabs.length;
    setChosen(next);
    list.current?.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} tabIndex={-1} ref={list} onKeyDown={move}>
        {tabs.map(({ name }, index) => (
          <Button
            key={name}
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => setChosen(index)}
          >
            {name}
          </Button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${chosen}`} key={chosen}>
        {tabs[chosen]?.content}
      </div>
    </div>
  );
}
