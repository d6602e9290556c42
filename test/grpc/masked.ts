const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/g;

/**
 * Answers with what differs from one run to the next replaced: IDs by the order
 * in which they first appear, and the times of this run. Times that a request
 * gave stay.
 */
export function masked(value: unknown, startedAt: Date): unknown {
  const names = new Map<string, string>();
  const nameOf = (id: string) => {
    const name = names.get(id) ?? `id ${names.size + 1}`;
    names.set(id, name);
    return name;
  };
  // Two months cover the end of a billing period; the times that requests give are years away.
  const isOfThisRun = (time: string) =>
    Math.abs(Date.parse(time) - startedAt.getTime()) < 60 * 24 * 60 * 60 * 1_000;
  const text = JSON.stringify(value)
    .replace(UUID, nameOf)
    .replace(TIME, (time) => (isOfThisRun(time) ? "now" : time))
    .replace(/("next_page_token":)"[^"]+"/g, '$1"token"');
  return JSON.parse(text);
}
