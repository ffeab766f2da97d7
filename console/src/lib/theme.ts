/** The themes one can choose; `system` follows the machine. */
export const THEMES = ["system", "light", "dark"] as const;

/** One of {@link THEMES}. */
export type Theme = (typeof THEMES)[number];

const KEY = "muster.theme";

/** What this browser has chosen. */
export function chosenTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return THEMES.find((theme) => theme === stored) ?? "system";
}

/** Applies a theme now and in later visits; `theme-first.js` does so before the first paint. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
