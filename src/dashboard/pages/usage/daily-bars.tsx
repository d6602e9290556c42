import { useId } from "preact/hooks";

const WIDTH = 480;
const HEIGHT = 120;
const GAP = 3;

interface DailyBarsProps {
  readonly title: string;
  readonly days: readonly {
    readonly day: string;
    readonly calls: number;
    readonly failures: number;
  }[];
}

/** A bar for each day, the errors of it at its foot. */
export function DailyBars({ title, days }: DailyBarsProps) {
  const id = useId();
  const most = Math.max(1, ...days.map(({ calls }) => calls));
  const total = days.reduce((sum, { calls }) => sum + calls, 0);
  const failures = days.reduce((sum, day) => sum + day.failures, 0);
  const step = WIDTH / days.length;
  const heightOf = (count: number) => (count / most) * (HEIGHT - 2);
  return (
    <figure class="card chart" aria-labelledby={id}>
      <figcaption id={id}>
        <strong>{title}</strong>
        <span class="hint">
          {total.toLocaleString()} in all, {failures.toLocaleString()} with an error
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title}>
        {days.map(({ day, calls, failures }, index) => (
          <g key={day} transform={`translate(${index * step + GAP / 2})`}>
            <title>{`${day} UTC: ${calls}, ${failures} with an error`}</title>
            <rect class="reach" width={step - GAP} height={HEIGHT} />
            <rect
              class="bar"
              y={HEIGHT - heightOf(calls)}
              width={step - GAP}
              height={heightOf(calls)}
              rx="2"
            />
            <rect
              class="bar failed"
              y={HEIGHT - heightOf(failures)}
              width={step - GAP}
              height={heightOf(failures)}
            />
          </g>
        ))}
        <line x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
      </svg>
      <p class="hint ends">
        <span>{days[0]?.day}</span>
        <span>{most.toLocaleString()} at most</span>
        <span>{days.at(-1)?.day}</span>
      </p>
    </figure>
  );
}
