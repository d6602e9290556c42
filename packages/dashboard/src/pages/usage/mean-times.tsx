import { useId } from "preact/hooks";

const WIDTH = 980;
const HEIGHT = 120;
const DOT = 3;

interface MeanTimesProps {
  readonly days: readonly string[];
  readonly series: readonly {
    readonly name: string;
    /** A day each. */
    readonly totals: readonly { readonly calls: number; readonly totalMs: number }[];
  }[];
}

/** How long a call of each kind took on each day, on average. */
export function MeanTimes({ days, series }: MeanTimesProps) {
  const id = useId();
  const means = series.map(({ totals }) =>
    totals.map(({ calls, totalMs }) => (calls === 0 ? null : totalMs / calls)),
  );
  const most = Math.max(1, ...means.flat().filter((mean) => mean !== null));
  const xOf = (day: number) => ((day + 0.5) / days.length) * WIDTH;
  const yOf = (mean: number) => HEIGHT - DOT - (mean / most) * (HEIGHT - 2 * DOT);
  return (
    <figure class="card chart wide" aria-labelledby={id}>
      <figcaption id={id}>
        <strong>Mean time of a call</strong>
        <span class="legend">
          {series.map(({ name }, index) => (
            <span key={name} class={`hint of-${index}`}>
              {name}
            </span>
          ))}
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label="Mean time of a call by day">
        <line x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
        {means.map((ofDays, index) => (
          <g key={series[index]?.name} class={`of-${index}`}>
            <path d={pathThrough(ofDays, xOf, yOf)} />
            {ofDays.map(
              (mean, day) =>
                mean !== null && (
                  <circle key={days[day]} cx={xOf(day)} cy={yOf(mean)} r={DOT}>
                    <title>{`${days[day]} UTC, ${series[index]?.name}: ${Math.round(mean)} ms`}</title>
                  </circle>
                ),
            )}
          </g>
        ))}
      </svg>
      <p class="hint ends">
        <span>{days[0]}</span>
        <span>{Math.round(most).toLocaleString()} ms at most</span>
        <span>{days.at(-1)}</span>
      </p>
    </figure>
  );
}

/** Over the days that have calls; those without are passed over. */
function pathThrough(
  means: readonly (number | null)[],
  xOf: (day: number) => number,
  yOf: (mean: number) => number,
): string {
  const points = means.flatMap((mean, day) => (mean === null ? [] : [`${xOf(day)} ${yOf(mean)}`]));
  return points.length === 0 ? "" : `M${points.join("L")}`;
}
