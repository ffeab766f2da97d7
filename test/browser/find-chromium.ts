import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

/** A browser on this machine, and what its process needs to find its libraries. */
export interface Chromium {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../..");
const RUNTIME = join(ROOT, ".runtime");
const SYSTEM_BROWSERS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/usr/bin/google-chrome",
  "/usr/bin/chromium",
];
const chromium = z.object({ path: z.string(), env: z.record(z.string(), z.string()) });

/** Builds the console if its sources have changed. */
export async function buildConsole(): Promise<void> {
  await run(process.execPath, [join(ROOT, "scripts/ensure-console.mjs")]);
}

/** Finds the browser of the package, which is for Linux on x64; elsewhere the one of the machine. */
export async function findChromium(): Promise<Chromium> {
  if (process.platform !== "linux" || process.arch !== "x64") {
    const path = SYSTEM_BROWSERS.find((each) => existsSync(each));
    if (path === undefined) throw new Error("The browser tests need Google Chrome on this machine.");
    return { path, env: {} };
  }
  const folder = join(RUNTIME, "chromium", await hashOf(["package-lock.json", "unpack-chromium.mjs"]));
  const description = join(folder, "chromium.json");
  if (!existsSync(description)) {
    await mkdir(folder, { recursive: true });
    await writeFile(description, await unpackInto(folder));
  }
  return chromium.parse(JSON.parse(await readFile(description, "utf8")));
}

/** The unpacked files name each other by absolute paths, so a checkout that was moved or copied unpacks its own. */
async function hashOf(files: readonly string[]): Promise<string> {
  const hash = createHash("sha256").update(ROOT);
  for (const file of files) hash.update(await readFile(join(import.meta.dirname, file)));
  return hash.digest("hex").slice(0, 16);
}

async function unpackInto(folder: string): Promise<string> {
  if (!existsSync(join(import.meta.dirname, "node_modules/@sparticuz/chromium"))) {
    const flags = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    await run("npm", flags, { cwd: import.meta.dirname });
  }
  const env = {
    ...process.env,
    TMPDIR: folder,
    AWS_LAMBDA_JS_RUNTIME: "nodejs22.x",
    FONTCONFIG_PATH: join(folder, "fonts"),
  };
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, "unpack-chromium.mjs")], { env });
  return stdout;
}
