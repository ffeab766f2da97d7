// Sets the theme and the density that this browser has chosen, before the first paint. The rest is in lib/theme.ts and
// lib/density.ts.
// A browser may store nothing for a page in a frame of another site: then the tab alone remembers.
for (const name of ["localStorage", "sessionStorage"]) {
  try {
    void globalThis[name].length;
  } catch {
    const kept = {};
    const methods = {
      getItem: (key) => kept[key] ?? null,
      setItem: (key, value) => void (kept[key] = `${value}`),
      removeItem: (key) => delete kept[key],
    };
    for (const [key, value] of Object.entries(methods)) Object.defineProperty(kept, key, { value });
    Object.defineProperty(globalThis, name, { value: kept });
  }
}
{
  const { dataset } = document.documentElement;
  const theme = localStorage.getItem("muster.theme");
  if (theme === "light" || theme === "dark") dataset.theme = theme;
  if (localStorage.getItem("muster.density") === "compact") dataset.density = "compact";
}
