const KEPT = { readings: 2_000, characters: 400 };

/** A reading that is kept of the last short texts: facts that are told together share candidates. */
export function remembered<Reading>(read: (text: string) => Reading): (text: string) => Reading {
  const kept = new Map<string, Reading>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const reading = read(text);
    if (text.length > KEPT.characters) return reading;
    if (kept.size >= KEPT.readings) kept.delete(kept.keys().next().value ?? "");
    kept.set(text, reading);
    return reading;
  };
}
