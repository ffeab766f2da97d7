const BROWSERS = ["Edg", "OPR", "Firefox", "Chrome", "Safari"] as const;
const BROWSER_LABELS = { Edg: "Edge", OPR: "Opera", Firefox: "Firefox", Chrome: "Chrome", Safari: "Safari" } as const;
const SYSTEMS = ["Windows", "Android", "iPhone", "iPad", "Mac OS", "Linux"] as const;

/** `Firefox on Linux`, as far as the browser sends it. */
export function deviceLabel(device: string | null): string {
  if (device === null) return "Unknown device";
  const browser = BROWSERS.find((name) => device.includes(`${name}/`));
  const system = SYSTEMS.find((name) => device.includes(name));
  if (browser === undefined) return device;
  return system === undefined ? BROWSER_LABELS[browser] : `${BROWSER_LABELS[browser]} on ${system}`;
}
