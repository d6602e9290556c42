/** The function, with each value computed once. */
export function memoized<T>(make: (index: number) => T): (index: number) => T {
  const made = new Map<number, T>();
  return (index) => {
    const known = made.get(index);
    if (known !== undefined) return known;
    const value = make(index);
    made.set(index, value);
    return value;
  };
}

/** A value that is computed at its first use. */
export function once<T extends object | string>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
