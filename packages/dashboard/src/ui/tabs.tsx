import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import { Button } from "./page.tsx";

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly name: string; readonly content: ComponentChildren }[];
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
}

/** One of several contents at a time. The arrow keys go from tab to tab. */
export function Tabs({ label, tabs, chosen, onChoose }: TabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (chosen + step + tabs.length) % tabs.length;
    onChoose(next);
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
            onClick={() => onChoose(index)}
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
