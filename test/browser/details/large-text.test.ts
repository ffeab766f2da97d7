import { afterAll, beforeAll, expect } from "vitest";
import { DESKTOP, PHONE, useBrowser } from "../browser.ts";
import { crowdedOn, doubleText } from "../large-text.ts";
import { openMainScreens } from "../screens-main.ts";
import { SWEEP_TIMEOUT_MS, openScreen } from "../sweep-screens.ts";
import type { SweptScene } from "../sweep-screens.ts";
import { verifies } from "../../support/verifies.ts";

const CHECKED = ["runs", "run-waiting", "questions", "new-task"];

let swept: SweptScene;
const browser = useBrowser();
beforeAll(async () => {
  swept = await openMainScreens();
});
afterAll(() => swept.close());

verifies(
  "pages.large-text",
  "text of twice the size fits into the window, without overlaps",
  async () => {
    const page = await browser.newSeparatePage();
    await swept.scene.signIn(page);
    await doubleText(page);
    const found: Record<string, unknown> = {};
    // The widths within a screen, as to open one takes longer than to lay it out again.
    const screens = swept.screens.filter(({ name }) => CHECKED.includes(name));
    for (const [index, { name, url, shows }] of screens.entries()) {
      for (const viewport of [DESKTOP, PHONE]) {
        await page.setViewportSize(viewport);
        if (viewport === DESKTOP) await (index === 0 ? page.goto(url) : openScreen(page, url));
        await page.getByText(shows).filter({ visible: true }).first().waitFor();
        const crowded = await crowdedOn(page);
        if (crowded.length > 0) found[`${name}, ${viewport.width}`] = crowded;
      }
    }
    expect(found).toEqual({});
    expect(screens).toHaveLength(CHECKED.length);
    const size = await page.evaluate("getComputedStyle(document.body).fontSize");
    expect(size).toBe("30px");
  },
  SWEEP_TIMEOUT_MS,
);
