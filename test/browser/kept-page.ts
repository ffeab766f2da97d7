import type { BrowserContext, Page } from "playwright-core";

/**
 * A page that the tests of a worker use one after another, each as if it were new. A page in a new context has a process
 * of its own, which reads and compiles the console anew: that takes three times the CPU time of another load in a page
 * that has shown it.
 */
export interface KeptPage {
  readonly page: Page;
  readonly isTouched: boolean;
  /** Takes from the page what a test has left on it; closes it if that is not possible. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** What a test listens to on a page. */
const EVENTS = ["request", "requestfailed", "requestfinished", "response"] as const;

/** Opens a page to keep, in a context for it alone. */
export async function openKeptPage(context: BrowserContext, isTouched: boolean): Promise<KeptPage> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  refuseWhatStays(page);

  async function clear(): Promise<void> {
    for (const other of context.pages()) if (other !== page) await other.close();
    for (const event of EVENTS) page.removeAllListeners(event);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.setOffline(false);
    // The page itself leaves, not the browser for it: so it keeps its process, and the storage of its origin.
    await page.evaluate("location.replace('about:blank')");
    await page.waitForURL("about:blank");
    await page.evaluate("localStorage.clear(), sessionStorage.clear()");
    await devtools.send("Page.resetNavigationHistory");
    await context.clearCookies();
    await context.clearPermissions();
    await page.mouse.move(-1, -1);
  }

  return {
    page,
    isTouched,
    // A test may have closed it, or its process has crashed.
    clear: () => clear().catch(() => context.close()),
    close: () => context.close(),
  };
}

/** Makes a page refuse what nothing takes back. */
function refuseWhatStays(page: Page): void {
  const stays = { addInitScript: refuse, exposeFunction: refuse, exposeBinding: refuse };
  Object.assign(page, stays);
  Object.assign(page.context(), { ...stays, newCDPSession: refuse, route: refuse });
  Object.assign(page.clock, { install: refuse, pauseAt: refuse, setFixedTime: refuse, setSystemTime: refuse });
}

function refuse(): never {
  throw new Error("This would stay on the page for the next test: take newSeparatePage() for it.");
}
