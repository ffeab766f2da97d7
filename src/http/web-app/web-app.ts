import { readFile } from "node:fs/promises";
import { join } from "node:path";

const FOLDER = import.meta.dirname;
const SIZES = [180, 192, 512] as const;
const ACCENT = "#3550c8";
const ONE_DAY = "public, max-age=86400";
/** It may load nothing. */
const POLICY = "default-src 'none'";

/** A file of the app on a home screen, and how it is served. */
export interface WebAppFile {
  readonly content: string | Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** The files by which a browser installs the console and notifies a person; undefined for any other path. */
export async function webAppFile(path: string, serviceName: string): Promise<WebAppFile | undefined> {
  if (path === "/manifest.webmanifest") {
    const headers = { "Content-Type": "application/manifest+json", "Cache-Control": "no-cache" };
    return { content: manifestOf(serviceName), headers };
  }
  if (path === "/service-worker.js") {
    const headers = {
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": "no-cache",
      "Content-Security-Policy": POLICY,
    };
    return { content: await readFile(join(FOLDER, "service-worker.js"), "utf8"), headers };
  }
  const size = SIZES.find((each) => path === `/icon-${each}.png`);
  if (size === undefined) return undefined;
  const content = Uint8Array.from(await readFile(join(FOLDER, `icon-${size}.png`)));
  return { content, headers: { "Content-Type": "image/png", "Cache-Control": ONE_DAY } };
}

/** https://www.w3.org/TR/appmanifest */
function manifestOf(name: string): string {
  return JSON.stringify({
    name,
    short_name: name,
    id: "/",
    start_url: "/",
    scope: "/",
    display: "standalone",
    theme_color: ACCENT,
    background_color: ACCENT,
    icons: SIZES.map((size) => ({
      src: `/icon-${size}.png`,
      sizes: `${size}x${size}`,
      type: "image/png",
      purpose: "any maskable",
    })),
  });
}
