import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

const WIDTH = 480;
const HEIGHT = 120;
const GAP = 3;

/** A bar. */
export interface DayBar {
  /** The day in UTC, as in `2026-05-01`. */
  readonly day: string;
  readonly whole: number;
  /** The part that is drawn apart, at the foot. */
  readonly part: number;
  /** The day in words. */
  readonly told: string;
}

interface DailyBarsProps {
  readonly title: string;
  /** The sum, in words. */
  readonly summary: ComponentChildren;
  /** How the part at the foot is drawn. */
  readonly partClass: "failed" | "written";
  readonly days: readonly DayBar[];
}

/** A bar for each day, with a part of it at its foot. */
export function DailyBars({ title, summary, partClass, days }: DailyBarsProps) {
  const id = useId();
  const most = Math.max(1, ...days.map(({ whole }) => whole));
  const step = WIDTH / days.length;
  const heightOf = (count: number) => (count / most) * (HEIGHT - 2);
  return (
    <figure class="card chart" aria-labelledby={id}>
      <figcaption id={id}>
        <strong>{title}</strong>
        <span class="hint">{summary}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title}>
        {days.map(({ day, whole, part, told }, index) => (
          <g key={day} transform={`translate(${index * step + GAP / 2})`}>
            <title>{`${day} UTC: ${told}`}</title>
            <rect class="reach" width={step - GAP} height={HEIGHT} />
            <rect
              class="bar"
              y={HEIGHT - heightOf(whole)}
              width={step - GAP}
              height={heightOf(whole)}
              rx="2"
            />
            <rect
              class={`bar ${partClass}`}
              y={HEIGHT - heightOf(part)}
              width={step - GAP}
              height={heightOf(part)}
            />
          </g>
        ))}
        <line x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
      </svg>
      <p class="hint ends">
        <span>{days[0]?.day}</span>
        <span>Peak {most.toLocaleString()}</span>
        <span>{days.at(-1)?.day}</span>
      </p>
    </figure>
  );
}
