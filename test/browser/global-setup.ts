import type { TestProject } from "vitest/node";
import startDatabase from "../support/database.ts";
import { buildConsole, findChromium } from "./find-chromium.ts";
import type { Chromium } from "./find-chromium.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** How to start the browser. */
    chromium: Chromium;
  }
}

/** Gives the browser tests a database server, the built console and a browser, once for all files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [stopDatabase, found] = await Promise.all([startDatabase(project), findChromium(), buildConsole()]);
  project.provide("chromium", found);
  return stopDatabase;
}
