/** The search parameters that make another list of a screen. The rest open, select or order something on it. */
const OF_LISTS = "q status state source agent team since error tag cost sort mode base kind direction actor tab".split(
  " ",
);

/** What of a URL decides it. */
export interface ShownLocation {
  readonly pathname: string;
  readonly search: Readonly<Record<string, unknown>>;
}

/** Whether a page is read from its top after a navigation: another screen or another list, not a dialog over it. */
export function startsAtTop(from: ShownLocation, to: ShownLocation): boolean {
  if (from.pathname !== to.pathname) return true;
  return OF_LISTS.some((key) => JSON.stringify(from.search[key]) !== JSON.stringify(to.search[key]));
}
