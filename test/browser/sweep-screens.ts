import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { z } from "zod";
import { DESKTOP, PHONE } from "./browser.ts";

/** Where the pictures of all screens go. */
export const ARTEFACTS = join(import.meta.dirname, "artefacts");
/** How every screen is looked at; the name is the end of its picture's. */
export const LOOKS = [
  { name: "1280-light", viewport: DESKTOP, theme: "light" },
  { name: "1280-dark", viewport: DESKTOP, theme: "dark" },
  { name: "360-light", viewport: PHONE, theme: "light" },
  { name: "360-dark", viewport: PHONE, theme: "dark" },
] as const;

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const violations = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

/** What is looked at: a name, an address, and what is there when the screen is complete. */
export interface SweptScreen {
  readonly name: string;
  /** With its origin. */
  readonly url: string;
  readonly shows: string;
}

/**
 * Opens each screen, takes its picture, and looks for what breaks accessibility or is wider than the window. Returns
 * what was found, by screen; empty when all is well.
 */
export async function sweepScreens(
  page: Page,
  look: (typeof LOOKS)[number],
  screens: readonly SweptScreen[],
): Promise<Record<string, unknown>> {
  await mkdir(ARTEFACTS, { recursive: true });
  const axe = await readFile(AXE, "utf8");
  const found: Record<string, unknown> = {};
  for (const { name, url, shows } of screens) {
    await page.goto(url);
    await page.getByText(shows).filter({ visible: true }).first().waitFor();
    // A font is asked for when the text is laid out, a frame later.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    await page.evaluate("document.fonts.ready.then(() => true)");
    await page.screenshot({ path: join(ARTEFACTS, `${name}-${look.name}.png`) });
    const wide = z.number().parse(await page.evaluate("document.documentElement.scrollWidth - innerWidth"));
    if (wide > 0) found[`${name} scrolls`] = wide;
    await page.evaluate(axe);
    const faults = violations.parse(
      await page.evaluate(`axe.run({ runOnly: ${JSON.stringify(TAGS)} }).then(({ violations }) => violations)`),
    );
    for (const { id, nodes } of faults) found[`${name}: ${id}`] = nodes.map(({ html }) => html);
  }
  return found;
}
