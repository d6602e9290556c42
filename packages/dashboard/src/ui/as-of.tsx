import { useState } from "preact/hooks";
import { Field } from "./field.tsx";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** How far back the slider goes; the field takes any day. */
const SLIDER_DAYS = 365;
/** Days back of what stands below the slider, at even distances. */
const MARKS = [365, 274, 183, 91, 0] as const;
const MONTH_FORMAT = new Intl.DateTimeFormat(undefined, { month: "short", year: "2-digit" });

interface AsOfProps {
  /** A moment in UTC; "": now. */
  readonly asOf: string;
  readonly onChange: (asOf: string) => void;
}

/** Chooses a day to look from: on a time line of the last year, or by its date. */
export function AsOf({ asOf, onChange }: AsOfProps) {
  const [moved, setMoved] = useState<number | null>(null);
  const today = Date.now();
  const back = moved ?? (asOf === "" ? 0 : Math.round((today - Date.parse(asOf)) / DAY_MS));
  const choose = (days: number) => {
    setMoved(null);
    onChange(days <= 0 ? "" : endOfDay(new Date(today - days * DAY_MS)));
  };
  const day = back <= 0 ? "" : localDay(new Date(today - back * DAY_MS));
  return (
    <div class="as-of">
      <Field label={`As of ${day || "now"}`}>
        {(control) => (
          <div class="time-line">
            <input
              {...control}
              type="range"
              min={-SLIDER_DAYS}
              max={0}
              value={-back}
              aria-valuetext={day || "now"}
              onInput={({ currentTarget }) => setMoved(-Number(currentTarget.value))}
              onChange={({ currentTarget }) => choose(-Number(currentTarget.value))}
            />
            <p class="marks" aria-hidden="true">
              {MARKS.map((days) => (
                <span key={days}>
                  {days === 0 ? "now" : MONTH_FORMAT.format(today - days * DAY_MS)}
                </span>
              ))}
            </p>
          </div>
        )}
      </Field>
      <Field label="Day">
        {(control) => (
          <input
            {...control}
            type="date"
            value={day}
            onChange={({ currentTarget: { value } }) =>
              onChange(value === "" ? "" : endOfDay(new Date(`${value}T00:00`)))
            }
          />
        )}
      </Field>
      <button type="button" disabled={back <= 0} onClick={() => onChange("")}>
        Now
      </button>
    </div>
  );
}

/** The last moment of a day in the zone of who looks, in UTC. */
function endOfDay(date: Date): string {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate(), 23, 59, 59).toISOString();
}

/** As in 2026-05-01. */
function localDay(date: Date): string {
  const pad = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}
