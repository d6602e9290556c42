import type { Citation } from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
import type { ComponentChildren } from "preact";
import { hrefOf, route } from "../../route.ts";

/** What models write of Markdown within a line, and the markers of citations. */
const INLINE = /\[mem-(\d+)\]|\*\*(.+?)\*\*|`([^`]+)`|(?<![*\w])\*([^*\s][^*]*)\*(?!\w)/;
const ITEM = /^\s*(?:[-*•]|\d+[.)])\s+/;
const HEADING = /^#{1,6}\s+/;

interface AnswerTextProps {
  readonly text: string;
  /** Empty until the whole answer is there. */
  readonly citations: readonly Citation[];
  readonly isComing: boolean;
}

/** An answer whose markers lead to the memories that they cite. */
export function AnswerText({ text, citations, isComing }: AnswerTextProps) {
  return (
    <div class="answer" dir="auto">
      {blocksOf(text).map(({ kind, lines }, index) => {
        const rendered = lines.map((line) => inline(line, citations));
        if (kind === "heading") return <h3 key={index}>{rendered}</h3>;
        if (kind === "text") return <p key={index}>{inline(lines.join("\n"), citations)}</p>;
        const items = rendered.map((item, at) => <li key={at}>{item}</li>);
        return kind === "numbers" ? <ol key={index}>{items}</ol> : <ul key={index}>{items}</ul>;
      })}
      {isComing && <span class="coming">…</span>}
    </div>
  );
}

interface Block {
  readonly kind: "text" | "heading" | "items" | "numbers";
  readonly lines: string[];
}

/** Paragraphs, headings and lists. Text alone comes of it: what a model writes is no HTML. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let isOpen = false;
  for (const line of text.split("\n")) {
    const kind = kindOf(line);
    const content = line.replace(ITEM, "").replace(HEADING, "");
    const last = blocks.at(-1);
    if (isOpen && last?.kind === kind && kind !== "heading") {
      last.lines.push(content);
    } else if (line.trim() !== "") {
      blocks.push({ kind, lines: [content] });
    }
    isOpen = line.trim() !== "";
  }
  return blocks;
}

function kindOf(line: string): Block["kind"] {
  if (HEADING.test(line)) return "heading";
  if (!ITEM.test(line)) return "text";
  return /^\s*\d/.test(line) ? "numbers" : "items";
}

function inline(text: string, citations: readonly Citation[]): ComponentChildren {
  const found = INLINE.exec(text);
  if (found === null) return text;
  const [all, marker, strong, code, emphasis] = found;
  return (
    <>
      {text.slice(0, found.index)}
      {marker !== undefined && <Marker index={marker} citations={citations} />}
      {strong !== undefined && <strong>{inline(strong, citations)}</strong>}
      {code !== undefined && <code>{code}</code>}
      {emphasis !== undefined && <em>{inline(emphasis, citations)}</em>}
      {inline(text.slice(found.index + all.length), citations)}
    </>
  );
}

interface MarkerProps {
  /** Counted from 1. */
  readonly index: string;
  readonly citations: readonly Citation[];
}

function Marker({ index, citations }: MarkerProps) {
  const asOf = route.value.query.get("asOf") ?? undefined;
  const cited = citations.find((citation) => citation.index === Number(index));
  if (cited === undefined) return <span class="marker">{index}</span>;
  return (
    <a
      class="marker"
      href={hrefOf("memories", cited.memoryId, { asOf })}
      title={cited.decision}
      aria-label={`Memory ${index}: ${cited.decision}`}
    >
      {index}
    </a>
  );
}
