import { chromium } from "playwright-core";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterEach, expect, inject } from "vitest";
import { openKeptPage } from "./kept-page.ts";
import type { KeptPage } from "./kept-page.ts";

/** The language and zone of every page: what is formatted must not depend on the machine. */
const LOCALE = "en-GB";
const TIME_ZONE = "Europe/Berlin";
/** The viewport of a desktop computer, in CSS pixels. */
export const DESKTOP = { width: 1280, height: 800 } as const;
/** The viewport of a phone, in CSS pixels. */
export const PHONE = { width: 360, height: 740 } as const;

interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** How a page looks. */
export interface PageOptions {
  readonly viewport?: Viewport;
  readonly theme?: "light" | "dark";
  /** Requests that may fail, by a part of their URL or of the browser's message: the test makes them fail. */
  readonly mayFail?: readonly string[];
}

/** A service that can sign a page in. */
export interface SignInService {
  readonly service: { readonly url: string };
  signIn(page: Page): Promise<void>;
}

/** A browser for the tests of a worker; each page has its own person. */
export interface TestBrowser {
  newContext(options?: PageOptions): Promise<BrowserContext>;
  /** Gives a page, which is kept for the tests that follow: see {@link KeptPage}. */
  newPage(options?: PageOptions): Promise<Page>;
  /** Opens a page that is not kept, for what would stay on it: a clock, a script before all others, or what CDP sets. */
  newSeparatePage(options?: PageOptions): Promise<Page>;
  /** Opens a path of the first workspace on a new page that is signed in. */
  open(scene: SignInService, path: string, options?: PageOptions): Promise<Page>;
}

/** Whether a window of this size is a phone's, which is touched. */
export function hasTouch({ width }: Viewport): boolean {
  return width < 640;
}

let launched: Promise<Browser> | undefined;
/** What the pages of the present test did wrong. */
let faults: string[] = [];
/** What may fail, by the context of the page. */
const expected = new WeakMap<BrowserContext, readonly string[]>();
/** The pages that are kept from test to test. */
const kept: KeptPage[] = [];

/**
 * Gives the tests of this file the browser of their worker. A test fails when a page breaks the policy, throws, or
 * writes an error to the console.
 */
export function useBrowser(): TestBrowser {
  const contexts = new Set<BrowserContext>();
  const used = new Set<KeptPage>();

  afterEach(async ({ task }) => {
    for (const context of contexts) await context.close();
    contexts.clear();
    // A test that has failed may still use its page.
    for (const each of used) await (task.result?.state === "fail" ? each.close() : each.clear());
    used.clear();
    const found = faults;
    faults = [];
    // As one text, of which a report without a difference shows all.
    expect(found.join("\n")).toBe("");
  });

  async function newContext(options?: PageOptions): Promise<BrowserContext> {
    const context = await openContext(options);
    contexts.add(context);
    return context;
  }

  async function newPage({ viewport = DESKTOP, theme = "light", mayFail = [] }: PageOptions = {}): Promise<Page> {
    const free = kept.find((each) => !used.has(each) && each.isTouched === hasTouch(viewport) && !each.page.isClosed());
    const taken = free ?? (await keepPage(viewport));
    used.add(taken);
    const { page } = taken;
    expected.set(page.context(), mayFail);
    await page.setViewportSize(viewport);
    await page.emulateMedia({ media: null, colorScheme: theme });
    return page;
  }

  async function newSeparatePage(options?: PageOptions): Promise<Page> {
    return (await newContext(options)).newPage();
  }

  async function open({ service, signIn }: SignInService, path: string, options?: PageOptions): Promise<Page> {
    const page = await newPage(options);
    await signIn(page);
    await page.goto(`${service.url}/w/my-workspace${path}`);
    return page;
  }

  return { newContext, newPage, newSeparatePage, open };
}

async function keepPage(viewport: Viewport): Promise<KeptPage> {
  const opened = await openKeptPage(await openContext({ viewport }), hasTouch(viewport));
  kept.push(opened);
  return opened;
}

async function openContext({ viewport = DESKTOP, theme = "light", mayFail = [] }: PageOptions = {}) {
  const browser = await (launched ??= launch());
  const context = await browser.newContext({
    viewport,
    locale: LOCALE,
    timezoneId: TIME_ZONE,
    colorScheme: theme,
    hasTouch: hasTouch(viewport),
    reducedMotion: "reduce",
  });
  expected.set(context, mayFail);
  context.setDefaultTimeout(30_000);
  context.on("weberror", (error) => faults.push(`thrown: ${error.error().message}`));
  context.on("console", (message) => {
    // What breaks a policy that is not enforced is not an error for the browser.
    if (message.type() !== "error" && !message.text().includes("report-only")) return;
    const { url } = message.location();
    const fault = `console: ${message.text()} (${url})`;
    const mayFail = expected.get(context) ?? [];
    if (!isExpected(url) && !mayFail.some((part) => fault.includes(part))) faults.push(fault);
  });
  return context;
}

async function launch(): Promise<Browser> {
  const { path, env } = inject("chromium");
  const browser = await chromium.launch({
    executablePath: path,
    // Without a graphics card, drawing by the processor directly takes a tenth less of it than by an emulated one.
    args: ["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"],
    env: { ...process.env, ...env },
  });
  // One that crashes fails the test that it crashes in, not those that follow.
  browser.once("disconnected", () => (launched = undefined));
  return browser;
}

/** Without a session the first refresh is rejected; the browser reports that as an error. */
function isExpected(url: string): boolean {
  return url.endsWith("/auth/refresh");
}

/** Whether an element is inside of the window, below the head of the page. */
export async function isInView(element: Locator): Promise<boolean> {
  const box = (await element.count()) === 0 ? null : await element.boundingBox();
  return box !== null && box.y > 100 && box.y + box.height <= DESKTOP.height;
}

/** Opens the page of a run, signed in, and waits for its steps. @param query of its URL, such as `?step=model:0` */
export async function openRun(browser: TestBrowser, scene: SignInService, id: string, query = ""): Promise<Page> {
  const page = await browser.open(scene, `/runs/${id}${query}`);
  await page.getByRole("treegrid", { name: "Steps" }).waitFor();
  return page;
}
