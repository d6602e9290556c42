import type { Memory } from "@agent-memory/gen/agentmemory/v1/memory_pb";
import { hrefOf } from "../../route.ts";
import { DAY_FORMAT } from "../../ui/time.tsx";
import { type Bar, CHAIN_WIDTH, layOutChain } from "./chain-layout.ts";
import type { ChainVersion } from "./load-chain.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** An axis that is shorter has the time of day. */
const SHORT_SPAN_MS = 4 * DAY_MS;
const SHORT_FORMAT = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
});
/** The distance of text from the top of its bar. */
const BASELINE = 17;

interface ChainPictureProps {
  readonly title: string;
  readonly versions: readonly ChainVersion[];
  readonly shownId: string;
  /** valid: when each was true. learned: when the service was told of it, until it was told of its end. */
  readonly time: "valid" | "learned";
}

/** The versions of a fact over one of the two times, with what replaced which, and how sure that was. */
export function ChainPicture({ title, versions, shownId, time }: ChainPictureProps) {
  const { height, bars, arrows, ticks, spanMs } = layOutChain(
    versions.map(({ memory, end }) => ({
      id: memory.id,
      label: memory.decision,
      supersededBy: memory.supersededBy,
      ...(time === "valid"
        ? { from: memory.validFrom, to: memory.validTo }
        : { from: memory.createdAt, to: memory.temporal?.isSuperseded ? end?.at : undefined }),
    })),
    Date.now(),
  );
  const versionOf = new Map(versions.map((version) => [version.memory.id, version]));
  const format = spanMs < SHORT_SPAN_MS ? SHORT_FORMAT : DAY_FORMAT;
  const headId = `arrow-head-${time}`;
  return (
    <div class="chain">
      <svg viewBox={`0 0 ${CHAIN_WIDTH} ${height}`} class={time}>
        <title>{title}</title>
        <defs>
          <marker
            id={headId}
            viewBox="0 0 8 8"
            refX="6"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path d="M0 0L8 4L0 8z" />
          </marker>
        </defs>
        {ticks.map(({ ms, x }, index) => (
          <g key={index} class="tick">
            <line x1={x} x2={x} y1="20" y2={height} />
            <text x={x} y="13" text-anchor={anchorOf(index, ticks.length)}>
              {format.format(ms)}
            </text>
          </g>
        ))}
        {bars.map((bar) => (
          <VersionBar
            key={bar.id}
            bar={bar}
            memory={versionOf.get(bar.id)?.memory}
            isShown={bar.id === shownId}
          />
        ))}
        {arrows.map(({ id, path, noteX, noteY }) => (
          <g key={id}>
            <path class="arrow" d={path} marker-end={`url(#${headId})`} />
            <text class="note" x={noteX} y={noteY + 4}>
              {versionOf.get(id)?.end?.confidence?.toFixed(2)}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}

interface VersionBarProps {
  readonly bar: Bar;
  readonly memory: Memory | undefined;
  readonly isShown: boolean;
}

function VersionBar({ bar: { id, label, ...box }, memory, isShown }: VersionBarProps) {
  const name = memory?.decision ?? "";
  const state = memory?.temporal?.isCurrent ? "current" : "past";
  return (
    <a href={hrefOf("memories", id)} aria-label={name}>
      <title>{name}</title>
      <rect {...box} rx="6" class={`version ${state}${isShown ? " shown" : ""}`} />
      <text
        class={label.isInside ? "inside" : "beside"}
        x={label.x}
        y={box.y + BASELINE}
        text-anchor={label.anchor}
      >
        {label.text}
      </text>
    </a>
  );
}

function anchorOf(index: number, count: number): "start" | "middle" | "end" {
  if (index === 0) return "start";
  return index === count - 1 ? "end" : "middle";
}
