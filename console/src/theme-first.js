// Sets the theme that this browser has chosen, before the first paint. The rest is in lib/theme.ts.
{
  const chosen = localStorage.getItem("muster.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
}
