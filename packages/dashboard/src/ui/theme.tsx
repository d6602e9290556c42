import { useState } from "preact/hooks";

const KEPT_AS = "agent-memory.theme";
const THEMES = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

const kept = () => localStorage.getItem(KEPT_AS) ?? THEMES[0][0];

/** The colours that were chosen in this browser; the styles go by the attribute. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = kept();
}

/** Chooses light or dark colours. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(kept());
  return (
    <select
      aria-label="Theme"
      value={theme}
      onChange={({ currentTarget: { value } }) => {
        localStorage.setItem(KEPT_AS, value);
        setTheme(value);
        applyTheme();
      }}
    >
      {THEMES.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
