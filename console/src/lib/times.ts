/** In which zone times can be shown. */
export const TIMES = ["local", "utc"] as const;

/** One of {@link TIMES}. */
export type Times = (typeof TIMES)[number];

const KEY = "muster.times";

/** What this browser has chosen; what runs without one shows local times. */
export function chosenTimes(): Times {
  return typeof localStorage !== "undefined" && localStorage.getItem(KEY) === "utc" ? "utc" : "local";
}

/** Keeps the choice; a page shows it when it is loaded again. */
export function storeTimes(times: Times): void {
  localStorage.setItem(KEY, times);
}
