import { useState } from "preact/hooks";
import { dayOf, daysSince, endOfDay, endOfDayBack } from "./days.ts";
import { Field } from "./field.tsx";

/** How far back the slider goes; the field takes any day. */
const SLIDER_DAYS = 365;
/** Days back of what stands below the slider, at even distances. */
const MARKS = [365, 274, 183, 91, 0] as const;
const MONTH_FORMAT = new Intl.DateTimeFormat(undefined, { month: "short", year: "2-digit" });

interface AsOfProps {
  /** Which of the two times: when something was true, or when it was known. */
  readonly time?: "true" | "known";
  /** A moment in UTC; "": now. */
  readonly asOf: string;
  readonly onChange: (asOf: string) => void;
}

/** Chooses a day to look from: on a time line of the last year, or by its date. */
export function AsOf({ time = "true", asOf, onChange }: AsOfProps) {
  const isTrue = time === "true";
  const [moved, setMoved] = useState<number | null>(null);
  const back = moved ?? (asOf === "" ? 0 : daysSince(asOf));
  const momentBack = (days: number) => (days === 0 ? "" : endOfDayBack(days));
  const shown = moved === null ? asOf : momentBack(moved);
  const day = shown === "" ? "" : dayOf(new Date(shown));
  return (
    <div class="as-of">
      <Field label={`${isTrue ? "True" : "Known"} on ${day || "now"}`}>
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
              onChange={({ currentTarget }) => {
                setMoved(null);
                onChange(momentBack(-Number(currentTarget.value)));
              }}
            />
            <p class="marks" aria-hidden="true">
              {MARKS.map((days) => (
                <span key={days}>
                  {days === 0 ? "now" : MONTH_FORMAT.format(Date.parse(endOfDayBack(days)))}
                </span>
              ))}
            </p>
          </div>
        )}
      </Field>
      <Field label={isTrue ? "Day" : "Known day"}>
        {(control) => (
          <input
            {...control}
            type="date"
            value={day}
            max={dayOf(new Date())}
            onChange={({ currentTarget: { value } }) =>
              onChange(value === "" ? "" : endOfDay(value))
            }
          />
        )}
      </Field>
      <button
        type="button"
        disabled={asOf === ""}
        aria-label={isTrue ? undefined : "Known now"}
        onClick={() => onChange("")}
      >
        Now
      </button>
    </div>
  );
}
