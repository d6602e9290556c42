import { type Timestamp, timestampDate, timestampMs } from "@bufbuild/protobuf/wkt";

const formatOf = (timeStyle?: "short" | "medium") =>
  new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle });

/** A day in the zone of who looks. */
export const DAY_FORMAT = formatOf();
const MINUTE_FORMAT = formatOf("short");
const SECOND_FORMAT = formatOf("medium");

interface TimeProps {
  readonly at: Timestamp | undefined;
  /** Instead of a time that there is none of. */
  readonly none?: string;
  readonly withDayAlone?: boolean;
  readonly withSeconds?: boolean;
}

/** A time in the zone of who looks, and in UTC under the pointer. */
export function Time({ at, none = "–", withDayAlone, withSeconds }: TimeProps) {
  if (at === undefined) return <span class="none">{none}</span>;
  const iso = timestampDate(at).toISOString();
  const format = withDayAlone ? DAY_FORMAT : withSeconds ? SECOND_FORMAT : MINUTE_FORMAT;
  return (
    <time dateTime={iso} title={`${iso.replace("T", " ").replace(/\.\d+Z/, "")} UTC`}>
      {format.format(timestampMs(at))}
    </time>
  );
}
