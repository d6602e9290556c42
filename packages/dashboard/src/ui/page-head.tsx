import type { ComponentChildren } from "preact";
import { Icon } from "./icons.tsx";

interface PageHeadProps {
  readonly title: string;
  readonly about?: ComponentChildren;
  /** The list that the page belongs to. */
  readonly trail?: ComponentChildren;
  /** What can be done there. */
  readonly children?: ComponentChildren;
}

/** What a page is about. */
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

/** Leads from a page to the list that it belongs to. */
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
