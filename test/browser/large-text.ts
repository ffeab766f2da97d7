import type { Page } from "playwright-core";
import { z } from "zod";

/** Twice the 16 pixels that browsers begin with. */
const LARGE = { standard: 32, fixed: 26 } as const;

/** Gives a page the text size of a reader who has doubled it in the settings of the browser. */
export async function doubleText(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Page.enable");
  await devtools.send("Page.setFontSizes", { fontSizes: LARGE });
}

/**
 * What has too little room: the page itself where it is wider than the window, words that are cut without an ellipsis or
 * stand out of their element, and controls that cover each other.
 */
export async function crowdedOn(page: Page): Promise<readonly string[]> {
  return z.array(z.string()).parse(await page.evaluate(CROWDED));
}

const CROWDED = `(() => {
  const nameOf = (element) => element.tagName + " " + (element.ariaLabel ?? element.textContent).trim().slice(0, 40);
  const top = document.querySelector("[role=dialog]") ?? document.body;
  const isForReaders = (element) => element !== null && (element.clientWidth === 1 || isForReaders(element.parentElement));
  const shown = [...top.querySelectorAll("*")].filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 2 && height > 2 && element.checkVisibility({ visibilityProperty: true }) && !isForReaders(element);
  });
  const hasWords = (element) => [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== "");
  const spilled = shown.filter((element) => {
    const { display, textOverflow, overflowX } = getComputedStyle(element);
    const mayBeCut = display.startsWith("inline") || textOverflow === "ellipsis" || ["auto", "scroll"].includes(overflowX);
    return hasWords(element) && !mayBeCut && element.scrollWidth > element.clientWidth + 1;
  });
  const controls = shown.filter((element) => element.matches("button, input, select, textarea, a:not([data-row])"));
  const covered = controls.filter((element) => {
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const { left, top, width, height } = element.getBoundingClientRect();
    const above = document.elementFromPoint(left + width / 2, top + height / 2);
    return above !== null && !element.contains(above) && !above.contains(element) && !above.labels?.length;
  });
  const wide = document.documentElement.scrollWidth - innerWidth;
  return [
    ...(wide > 0 ? ["the page scrolls by " + wide] : []),
    ...spilled.map((element) => "spills: " + nameOf(element)),
    ...covered.map((element) => "covered: " + nameOf(element)),
  ];
})()`;
