import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { CDPSession, Page } from "playwright-core";
import { z } from "zod";
import { DESKTOP, PHONE, hasTouch } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import type { Scene } from "./scene.ts";

/** What a sweep may take: it opens dozens of screens, on a machine that may be busy. */
export const SWEEP_TIMEOUT_MS = 600_000;
/** Where the pictures of all screens go. */
export const ARTEFACTS = join(import.meta.dirname, "artefacts");
const THEMES = ["light", "dark"] as const;
type Theme = (typeof THEMES)[number];

/** A window and a theme in which a screen is shown. A picture is named after its screen, its width and its theme. */
export interface Look {
  readonly viewport: typeof DESKTOP | typeof PHONE;
  readonly theme: Theme;
}
/** Every look. */
export const LOOKS: readonly Look[] = [DESKTOP, PHONE].flatMap((viewport) =>
  THEMES.map((theme) => ({ viewport, theme })),
);

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
/** Whether the sweep takes pictures of all screens. */
export const TAKES_PICTURES = process.env["PICTURES"] === "1";
/** The sidebar, which is the same on every screen of a load: axe reads it once in each look, a third of what it reads. */
const SIDEBAR = 'div:has(> nav[aria-label="Screens"])';
/** What is checked in each theme: a theme is nothing but colours, so the second one needs only the rules about them. */
const CHECKED = {
  light: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
  dark: { type: "rule", values: ["color-contrast", "link-in-text-block"] },
} as const satisfies Record<Theme, unknown>;
/** What a session of the browser's tools emulates ends with it. */
const sessions = new WeakMap<Page, CDPSession>();
/** A page is swept more than once: before and after its person signs in. */
const prepared = new WeakSet<Page>();
const violations = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

/** A screen to check: its name, its URL, and what it shows when it is complete. */
export interface SweptScreen {
  readonly name: string;
  /** With its origin. */
  readonly url: string;
  readonly shows: string;
}

/** A service with something to show on each of the screens that are checked. */
export interface SweptScene {
  readonly scene: Scene;
  /** Requests that may fail: see {@link useBrowser}. */
  readonly mayFail?: readonly string[];
  /** Shown to anyone. */
  readonly withoutSession: readonly SweptScreen[];
  readonly screens: readonly SweptScreen[];
  close(): Promise<void>;
}

/** Sweeps a scene's screens on a new page: those for anyone, then the others as the owner. */
export async function sweepScene(browser: TestBrowser, swept: SweptScene, looks: readonly Look[]) {
  const { scene, mayFail = [], withoutSession, screens } = swept;
  const page = await browser.newSeparatePage({ mayFail });
  const before = await sweepScreens(page, looks, withoutSession);
  await scene.signIn(page);
  return { ...before, ...(await sweepScreens(page, looks, screens)) };
}

/**
 * Opens each screen and searches it, in each look, for violations of accessibility and for what is wider than
 * the window. A screen is opened once for all of them. With PICTURES=1 it takes their pictures.
 * @returns what was found, by screen; empty when all is well.
 */
export async function sweepScreens(
  page: Page,
  allLooks: readonly Look[],
  screens: readonly SweptScreen[],
): Promise<Record<string, unknown>> {
  if (TAKES_PICTURES) await mkdir(ARTEFACTS, { recursive: true });
  await prepareScan(page);
  const found: Record<string, unknown> = {};
  // A screen begins as the one before has ended, so that each look opens some.
  let looks = allLooks;
  for (const [index, { name, url, shows }] of alternated(screens).entries()) {
    for (const [place, look] of looks.entries()) {
      await showIn(page, look);
      if (place === 0) await (index === 0 ? page.goto(url) : openScreen(page, url));
      await page.getByText(shows).filter({ visible: true }).first().waitFor();
      await settled(page);
      const wide = z.number().parse(await page.evaluate("document.documentElement.scrollWidth - innerWidth"));
      if (wide > 0) found[`${name}, ${nameOf(look)} scrolls`] = wide;
      if (TAKES_PICTURES) await page.screenshot({ path: join(ARTEFACTS, `${name}-${nameOf(look)}.png`) });
      for (const { id, nodes } of await violationsOn(page, look.theme)) {
        found[`${name}, ${nameOf(look)}: ${id}`] = nodes.map(({ html }) => html);
      }
    }
    looks = looks.toReversed();
  }
  return found;
}

/** The screens in an order in which a screen does not follow itself at another address, as it would have to be loaded. */
export function alternated(screens: readonly SweptScreen[]): readonly SweptScreen[] {
  const half = Math.ceil(screens.length / 2);
  return screens.slice(0, half).flatMap((screen, index) => [screen, ...screens.slice(half + index, half + index + 1)]);
}

/** The width of its window, and its theme. */
export function nameOf({ viewport, theme }: Look): string {
  return `${viewport.width}-${theme}`;
}

/** Gives a page the window of a look, with its kind of pointer, and its theme. */
async function showIn(page: Page, { viewport, theme }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  if (page.viewportSize()?.width === viewport.width) return;
  await page.setViewportSize(viewport);
  const devtools = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, devtools);
  await devtools.send("Emulation.setTouchEmulationEnabled", { enabled: hasTouch(viewport) });
}

/** Waits until a page is laid out with its fonts. */
async function settled(page: Page): Promise<void> {
  // A font is requested when the text is laid out, a frame later.
  await page.evaluate(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    .then(() => document.fonts.ready).then(() => true)`);
}

/**
 * Opens a screen as a link does, by the router of the page that is loaded: to load the console for each screen took
 * half of a sweep. Another address of the same screen is loaded, as it would show the rows before until its own arrive.
 */
export async function openScreen(page: Page, url: string): Promise<unknown> {
  const { origin, pathname } = new URL(url);
  const present = new URL(page.url());
  if (origin !== present.origin || pathname === present.pathname) return page.goto(url);
  return page.evaluate(`new Promise((done) => {
    const stop = __TSR_ROUTER__.subscribe("onRendered", () => done(stop()));
    void __TSR_ROUTER__.navigate({ href: ${JSON.stringify(url.slice(origin.length))} });
  })`);
}

/** Has axe in each document from its begin: to send and compile it after every load took a fifth of a sweep. */
export async function prepareScan(page: Page): Promise<void> {
  if (prepared.has(page)) return;
  prepared.add(page);
  await page.addInitScript({ path: AXE });
}

/** Searches what a page shows now; {@link prepareScan} has to be called before it is loaded. */
export async function violationsOn(page: Page, theme: Theme = "light"): Promise<z.output<typeof violations>> {
  const options = JSON.stringify({ runOnly: CHECKED[theme], resultTypes: ["violations"] });
  const run = `(async () => {
    const seen = (window.looksOfSidebar ??= new Set());
    const look = "${theme} " + innerWidth;
    const exclude = seen.has(look) ? [[${JSON.stringify(SIDEBAR)}]] : [];
    const { violations } = await axe.run({ exclude }, ${options});
    if (document.querySelector(${JSON.stringify(SIDEBAR)}) !== null) seen.add(look);
    return violations;
  })()`;
  return violations.parse(await page.evaluate(run));
}
