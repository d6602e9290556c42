/** The logo of the dashboard. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M8 11h9M8 16h16M13 21h11" />
    </svg>
  );
}
