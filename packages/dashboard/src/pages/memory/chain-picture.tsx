import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { hrefOf } from "../../route.ts";
import { DAY_FORMAT } from "../../ui/value.tsx";
import { layOutChain, TICK_WIDTH } from "./chain-layout.ts";
import type { ChainVersion } from "./load-chain.ts";

const TIME_FORMAT = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
});
const HEAD = { viewBox: "0 0 8 8", refX: "6", refY: "4", markerWidth: "7", markerHeight: "7" };
/** Until it is known how much room there is. */
const FIRST_ROOM = 900;

interface ChainPictureProps {
  readonly title: string;
  readonly versions: readonly ChainVersion[];
  readonly shownId: string;
  /** valid: when each was true. learned: when the service was told of it, until it was told of its end. */
  readonly time: "valid" | "learned";
  readonly isToScale?: boolean;
}

/** The versions of a fact over one of the two times, with what replaced which, and how sure that was. */
export function ChainPicture({ title, versions, shownId, time, ...rest }: ChainPictureProps) {
  const box = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(FIRST_ROOM);
  const { width, height, bars, arrows, ticks } = layOutChain(
    versions.map(({ memory, end }) => ({
      id: memory.id,
      label: memory.decision,
      supersededBy: memory.supersededBy,
      ...(time === "valid"
        ? { from: memory.validFrom, to: memory.validTo }
        : { from: memory.createdAt, to: memory.temporal?.isSuperseded ? end?.at : undefined }),
    })),
    { nowMs: Date.now(), room, isToScale: rest.isToScale ?? false },
  );
  const versionOf = new Map(versions.map((version) => [version.memory.id, version]));
  const headId = `arrow-head-${time}`;
  useLayoutEffect(() => {
    if (box.current === null) return;
    const watch = new ResizeObserver(([entry]) => entry && setRoom(entry.contentRect.width));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  // The current version is at the right.
  useLayoutEffect(() => box.current?.scrollTo({ left: width }), [width]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is out of view is reached by keys
    <section class="chain" aria-label={title} tabIndex={0} ref={box}>
      <svg width={width} height={height} class={time}>
        <title>{title}</title>
        <defs>
          <marker id={headId} {...HEAD} orient="auto">
            <path d="M0 0L8 4L0 8z" />
          </marker>
        </defs>
        {ticks.map(({ ms, x, isNamed, sharesDay }) => (
          <g key={ms} class="tick">
            <line x1={x} x2={x} y1="18" y2={height} />
            {isNamed && (
              <text
                x={x}
                y="12"
                text-anchor={x > (ticks.at(-1)?.x ?? 0) - TICK_WIDTH ? "end" : "start"}
              >
                {(sharesDay ? TIME_FORMAT : DAY_FORMAT).format(ms)}
              </text>
            )}
          </g>
        ))}
        {arrows.map(({ id, path, noteX, noteY }) => (
          <g key={id}>
            <path class="arrow" d={path} marker-end={`url(#${headId})`} />
            <text class="note" x={noteX} y={noteY + 4}>
              {versionOf.get(id)?.end?.confidence?.toFixed(2)}
            </text>
          </g>
        ))}
        {bars.map(({ id, label, ...bar }) => {
          const memory = versionOf.get(id)?.memory;
          const name = memory?.decision ?? "";
          const state = memory?.temporal?.isCurrent ? "current" : "past";
          return (
            <a key={id} href={hrefOf("memories", id)} aria-label={name}>
              <title>{name}</title>
              <rect {...bar} rx="5" class={`version ${state}${id === shownId ? " shown" : ""}`} />
              <text class="beside" x={label.x} y={label.y} text-anchor={label.anchor}>
                {label.words.map(({ text, differs }, index) => (
                  <tspan key={index} class={differs ? "differs" : undefined}>
                    {`${index === 0 ? "" : " "}${text}`}
                  </tspan>
                ))}
              </text>
            </a>
          );
        })}
      </svg>
    </section>
  );
}
