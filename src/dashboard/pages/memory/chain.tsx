import { useState } from "preact/hooks";
import type { Memory } from "../../../../gen/agentmemory/v1/memory_pb.ts";
import { nowMs } from "../../clock.ts";
import { hrefOf } from "../../route.ts";
import { State } from "../../ui/state.tsx";
import { DAY_FORMAT, Time } from "../../ui/time.tsx";
import { CHAIN_WIDTH, layOutChain } from "./chain-layout.ts";

interface ChainProps {
  /** By the start of what each says. */
  readonly chain: readonly Memory[];
  readonly shownId: string;
}

/** The versions of a fact over the time that each held, with what replaced which. */
export function Chain({ chain, shownId }: ChainProps) {
  const [showsLearned, setShowsLearned] = useState(false);
  if (chain.length < 2) return null;
  const { height, bars, arrows, ticks } = layOutChain(chain, nowMs(), showsLearned);
  const memoryOf = new Map(chain.map((memory) => [memory.id, memory]));
  return (
    <section class="card" aria-label="Timeline">
      <div class="chain-head">
        <h2>How it changed</h2>
        <label class="check">
          <input
            type="checkbox"
            checked={showsLearned}
            onChange={() => setShowsLearned(!showsLearned)}
          />
          When we learned it
        </label>
      </div>
      <div class="chain">
        <svg viewBox={`0 0 ${CHAIN_WIDTH} ${height}`}>
          <title>Versions over time</title>
          <defs>
            <marker
              id="arrow-head"
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
            <g key={ms} class="tick">
              <line x1={x} x2={x} y1="18" y2={height} />
              <text x={x} y="12" text-anchor={anchorOf(index, ticks.length)}>
                {DAY_FORMAT.format(ms)}
              </text>
            </g>
          ))}
          {bars.map(({ id, learnedX, ...box }) => {
            const memory = memoryOf.get(id);
            const name = memory?.decision ?? "";
            return (
              <a key={id} href={hrefOf("memories", id)} aria-label={name}>
                <title>{name}</title>
                <rect {...box} rx="6" class={barClass(memory, id === shownId)} />
                {showsLearned && (
                  <circle class="learned" cx={learnedX} cy={box.y + box.height / 2} r="5" />
                )}
              </a>
            );
          })}
          {arrows.map(({ id, path }) => (
            <path key={id} class="arrow" d={path} marker-end="url(#arrow-head)" />
          ))}
        </svg>
      </div>
      <ol class="versions">
        {chain.map((memory) => (
          <li key={memory.id} aria-current={memory.id === shownId || undefined}>
            <State memory={memory} />
            <span>
              {memory.id === shownId ? (
                <strong>{memory.decision}</strong>
              ) : (
                <a href={hrefOf("memories", memory.id)}>{memory.decision}</a>
              )}
            </span>
            <span class="hint">
              <Time at={memory.validFrom} withDayAlone />
              {showsLearned && (
                <>
                  , learned <Time at={memory.createdAt} withDayAlone />
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function barClass(memory: Memory | undefined, isShown: boolean): string {
  const state = memory?.temporal?.isCurrent ? "current" : "past";
  return isShown ? `version ${state} shown` : `version ${state}`;
}

function anchorOf(index: number, count: number): "start" | "middle" | "end" {
  if (index === 0) return "start";
  return index === count - 1 ? "end" : "middle";
}
