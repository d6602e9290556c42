/** Resolves when `dist/dashboard` is that of the sources. */
export function buildDashboard(): Promise<void>;
