import type { ComponentChildren } from "preact";

interface Props {
  readonly children: ComponentChildren;
}

/** Something went wrong. */
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
      {children}
    </div>
  );
}
