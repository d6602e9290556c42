import type { CallSum } from "@agent-memory/gen/agentmemory/dashboard/v1/call_service_pb";
import { useId } from "preact/hooks";

const WIDTH = 480;
const HEIGHT = 120;
const GAP = 3;

interface DailyBarsProps {
  readonly title: string;
  /** In UTC, as in `2026-05-01`. */
  readonly days: readonly string[];
  readonly sums: readonly CallSum[];
  readonly wholeOf: (sum: CallSum) => number;
  /** The part of it that is drawn apart, at the foot. */
  readonly partOf: (sum: CallSum) => number;
  /** The two in words. */
  readonly textOf: (whole: number, part: number) => string;
  readonly partClass: "failed" | "written";
}

/** A bar for each day, with a part of it at its foot. */
export function DailyBars({ title, days, sums, wholeOf, partOf, textOf, ...rest }: DailyBarsProps) {
  const id = useId();
  const addedUp = (some: readonly CallSum[]) => {
    const whole = some.reduce((sum, each) => sum + wholeOf(each), 0);
    const part = some.reduce((sum, each) => sum + partOf(each), 0);
    return { whole, part, text: textOf(whole, part) };
  };
  const bars = days.map((day) => ({ day, ...addedUp(sums.filter((each) => each.day === day)) }));
  const most = Math.max(1, ...bars.map(({ whole }) => whole));
  const step = WIDTH / days.length;
  const barOf = (count: number, name: string) => {
    const height = (count / most) * (HEIGHT - 2);
    return <rect class={name} y={HEIGHT - height} width={step - GAP} height={height} rx="2" />;
  };
  return (
    <figure class="card chart" aria-labelledby={id}>
      <figcaption id={id}>
        <strong>{title}</strong>
        <span class="hint">{addedUp(sums).text}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title}>
        {bars.map(({ day, whole, part, text }, index) => (
          <g key={day} transform={`translate(${index * step + GAP / 2})`}>
            <title>{`${day} UTC: ${text}`}</title>
            <rect class="reach" width={step - GAP} height={HEIGHT} />
            {barOf(whole, "bar")}
            {barOf(part, `bar ${rest.partClass}`)}
          </g>
        ))}
        <line x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
      </svg>
      <p class="hint ends">
        <span>{days[0]}</span>
        <span>Peak {most.toLocaleString()}</span>
        <span>{days.at(-1)}</span>
      </p>
    </figure>
  );
}
