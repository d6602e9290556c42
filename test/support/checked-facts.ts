/** Whether a prompt asks which facts are stated (D27a), by the schema of its answer. */
export function asksWhatIsStated(schema: object | null): boolean {
  return schema !== null && "stated" in (schema as { properties: object }).properties;
}

/** The answer of a model that finds all facts stated that a prompt asks about. */
export function allStated(user: string): { readonly stated: readonly number[] } {
  const lines = user.split("\n").map((line) => JSON.parse(line) as { number?: number });
  return { stated: lines.flatMap(({ number }) => number ?? []) };
}
