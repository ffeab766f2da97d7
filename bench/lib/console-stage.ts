import { chromium } from "playwright-core";
import type { BrowserContext } from "playwright-core";
import { buildConsole, findChromium } from "../../test/browser/find-chromium.ts";
import { openStage } from "./stage.ts";
import type { Stage } from "./stage.ts";

const PERSON = { email: "bench@example.org", password: "correct horse battery" };

/** A service with the console, and a real Chromium. */
export interface ConsoleStage extends Stage {
  /** An empty browser; with the session of the workspace's owner if asked for. */
  newContext(options?: { readonly isSignedIn?: boolean }): Promise<BrowserContext>;
}

/** Builds the console and starts the service and the browser. */
export async function openConsoleStage(): Promise<ConsoleStage> {
  await buildConsole();
  const stage = await openStage({ MUSTER_INIT_EMAIL: PERSON.email, MUSTER_INIT_PASSWORD: PERSON.password });
  const { path, env } = await findChromium();
  const browser = await chromium.launch({
    executablePath: path,
    args: ["--no-sandbox"],
    env: { ...process.env, ...env },
  });
  return {
    ...stage,
    async newContext({ isSignedIn = true } = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB" });
      if (isSignedIn) await signIn(context, stage.url);
      return context;
    },
    async close() {
      await browser.close();
      await stage.close();
    },
  };
}

async function signIn(context: BrowserContext, url: string): Promise<void> {
  const answer = await context.request.post(`${url}/auth/sign-in`, {
    data: PERSON,
    headers: { Origin: url, "Sec-Fetch-Site": "same-origin" },
  });
  if (!answer.ok()) throw new Error(`Signing in was answered with ${answer.status()}.`);
}
