const DAY_MS = 24 * 60 * 60 * 1_000;

/** The calendar day of a moment in the zone of who looks, as in 2026-05-01. */
export function dayOf(date: Date): string {
  const pad = (number: number, digits: number) => String(number).padStart(digits, "0");
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

/** The last moment of a day in that zone, in UTC. */
export function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString();
}

/** The same of the day so many days before today. */
export function endOfDayBack(days: number): string {
  const date = new Date();
  date.setDate(date.getDate() - days);
  return endOfDay(dayOf(date));
}

/** Calendar days from a moment's day to today: in some zones a day has 23 or 25 hours. */
export function daysSince(moment: string): number {
  const numberOf = (date: Date) => Date.parse(dayOf(date)) / DAY_MS;
  return numberOf(new Date()) - numberOf(new Date(moment));
}

/** The first moment of a day in that zone, in UTC. */
export function startOfDay(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString();
}
