import { useEffect } from "preact/hooks";

const MAX_CHARACTERS = 60;

/** Names the tab of the browser by what it shows; null: something else names it. */
export function useTitle(text: string | null): void {
  useEffect(() => {
    if (text === null) return;
    const short = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
    document.title = `${short} · Agent Memory`;
  }, [text]);
}
