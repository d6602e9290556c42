import type { ComponentChildren, ComponentProps } from "preact";
import { useEffect } from "preact/hooks";

interface PageHeadProps {
  readonly title: string;
  readonly about?: ComponentChildren;
  /** The list that the page belongs to. */
  readonly trail?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function PageHead({ title, about, trail, children }: PageHeadProps) {
  return (
    <header class="page-head">
      <div>
        {trail}
        <h1>{title}</h1>
        {about !== undefined && <p>{about}</p>}
      </div>
      {children}
    </header>
  );
}

export function Trail({ href, label }: { readonly href: string; readonly label: string }) {
  return (
    <p class="trail">
      <a href={href}>
        <Icon name="back" />
        {label}
      </a>
    </p>
  );
}

interface Props {
  readonly children: ComponentChildren;
}

export function Failed({ children }: Props) {
  return (
    <p class="notice failed" role="alert">
      {children}
    </p>
  );
}

/** The text of an empty list: what to do first. */
export function Empty({ title, children }: Props & { readonly title: string }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  );
}

const MAX_CHARACTERS = 60;

/** Names the tab of the browser by what it shows; null: something else names it. */
export function useTitle(text: string | null): void {
  useEffect(() => {
    if (text === null) return;
    const short = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
    document.title = `${short} · Agent Memory`;
  }, [text]);
}

/** Pictures of 20 by 20, beside a name: who listens is told that alone. */
const PATHS = {
  tenants: "M10 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 17c0-3 2.5-5 6-5s6 2 6 5",
  log: "M5 4h10v12H5zM8 8h4M8 11h4",
  memories: "M4 5h12M4 10h12M4 15h7",
  ask: "M4 4h12v9H9l-4 3v-3H4z",
  review: "M4 10l4 4 8-9",
  keys: "M12 4a4 4 0 1 1-2.8 6.8L4 16v-3h2v-2h2M13 7h.01",
  usage: "M4 16V10M10 16V4M16 16v-8",
  back: "M12 5l-5 5 5 5",
} as const;

export function Icon({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The logo and the name of the dashboard. */
export function Brand() {
  return (
    <p class="brand">
      <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" />
        <path d="M8 11h9M8 16h16M13 21h11" />
      </svg>
      Agent Memory
    </p>
  );
}

interface ButtonProps extends Omit<ComponentProps<"button">, "type" | "class"> {
  readonly look?: "primary" | "danger" | "quiet" | "skip" | undefined;
}

/** Does something; it sends no form. */
export function Button({ look, ...rest }: ButtonProps) {
  return <button type="button" class={look} {...rest} />;
}
