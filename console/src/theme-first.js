// Sets the theme and the density that this browser has chosen, before the first paint. The rest is in lib/theme.ts and
// lib/density.ts.
{
  const { dataset } = document.documentElement;
  const theme = localStorage.getItem("muster.theme");
  if (theme === "light" || theme === "dark") dataset.theme = theme;
  if (localStorage.getItem("muster.density") === "compact") dataset.density = "compact";
}
