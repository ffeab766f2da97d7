import type { TestProject } from "vitest/node";
import { buildConsole, findChromium } from "./find-chromium.ts";
import type { Chromium } from "./find-chromium.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** How to start the browser. */
    chromium: Chromium;
  }
}

/** Gives the browser tests the built console and a browser, once for all files. */
export default async function setup(project: TestProject): Promise<void> {
  const [found] = await Promise.all([findChromium(), buildConsole()]);
  project.provide("chromium", found);
}
