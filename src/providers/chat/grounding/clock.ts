import { hasMarker, type Language } from "./languages.ts";

/** Languages that say how much of an hour has gone by. */
const HALF_TO: ReadonlySet<Language> = new Set(["de", "nl", "pl"]);
const CLOCK = /^(\d{1,2}):(\d\d)$/u;

/** A folded text with the numbers in it. */
interface Told {
  readonly folded: string;
  readonly language: Language;
  has(number: string): boolean;
}

/** Whether a text gives a time such as "7:40", in figures or in words. */
export function isTimeOf(time: string, { folded, language, has }: Told): boolean {
  const [, hours, minutes] = CLOCK.exec(time) ?? [];
  if (hours === undefined || minutes === undefined) return false;
  const [hour, minute] = [Number(hours), Number(minutes)];
  const hasAny = (...numbers: readonly number[]) => numbers.some((one) => has(String(one)));
  const isHalf = minute === 30 && hasMarker(folded, "any", "half");
  // "Half acht" is 7:30 where it is "half seven" in English.
  if (isHalf && HALF_TO.has(language)) return hasAny(hour + 1, hour - 11);
  const isPart =
    minute === 0 || isHalf || (minute % 30 === 15 && hasMarker(folded, "any", "quarter"));
  // "Ten to six", "kwart voor", "fünf nach halb"
  const isMinute = hasAny(minute, 60 - minute, Math.abs(30 - minute));
  return (isPart || isMinute) && hasAny(hour, hour + 1, hour - 12, hour - 11);
}
