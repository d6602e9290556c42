import type { ComponentChildren } from "preact";

interface PairsProps {
  readonly of: readonly (readonly [name: string, content: ComponentChildren])[];
}

/** Names, each with what it stands for. */
export function Pairs({ of }: PairsProps) {
  return (
    <dl class="pairs">
      {of.map(([name, content]) => (
        <div key={name}>
          <dt dir="auto">{name}</dt>
          <dd dir="auto">{content}</dd>
        </div>
      ))}
    </dl>
  );
}
