/**
 * How many times larger than the usual 16 pixels the browser's own text size is: 2 for a reader who has chosen 32.
 * Sizes in the style sheets are in rem and follow it; what is drawn or measured in pixels is multiplied by it.
 */
export function textScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}

/** The width of an element at the usual size of text, as widths are stored. */
export function widthAtUsualText({ offsetWidth }: HTMLElement): number {
  return Math.round(offsetWidth / textScale());
}
