import { Icon } from "./icons.tsx";

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
