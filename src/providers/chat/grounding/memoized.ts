/** The same function, which makes each of its values once. */
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
