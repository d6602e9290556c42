interface ShareProps {
  /** The label for screen readers. */
  readonly label: string;
  readonly value: number;
  /** More than 0. */
  readonly max: number;
  /** Whether it is nearly used up. */
  readonly isHigh?: boolean;
}

/** How much of something there is, as a bar. */
export function Share({ label, value, max, isHigh = false }: ShareProps) {
  const percent = Math.min(100, (100 * value) / max);
  return (
    <svg
      class={isHigh ? "share high" : "share"}
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: ${Math.round(percent)} %`}
    >
      <rect width={percent} height="4" />
    </svg>
  );
}
