import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect } from "vitest";
import { verifies } from "../support/verifies.ts";

const MINUTE = 60_000;
const ROOT = join(import.meta.dirname, "../..");
const DIST = join(ROOT, ".runtime/site/dist");

let pages: ReadonlyMap<string, string>;

beforeAll(async () => {
  await promisify(execFile)("npm", ["run", "--silent", "site"], { cwd: ROOT, maxBuffer: 100_000_000 });
  const files = globSync("**/*.html", { cwd: DIST });
  pages = new Map(files.map((file) => [pathOf(file), readFileSync(join(DIST, file), "utf8")]));
}, 10 * MINUTE);

verifies("docs.site", "every page of the documentation is on the site, with the API and the commands", () => {
  const documents = globSync("docs/**/*.md", { cwd: ROOT }).map((file) => `/${file.replace(/(README)?\.md$/, "")}`);
  expect(documents.filter((path) => !pages.has(path))).toEqual([]);
  expect(pages.get("/docs/reference/http")).toContain("POST /functions/v1/api-tasks");
  expect(pages.get("/docs/reference/cli")).toContain("muster tasks create");
  const first = pages.get("/");
  expect(first).toContain("the primary is killed, the standby promoted");
  expect(first).toContain("The last proof");
  expect(first).toContain("Steps paid twice");
});

verifies("docs.site", "every link of the site leads to a page, and to a heading that it has", () => {
  const targets = [...pages].flatMap(([page, html]) =>
    [...html.matchAll(/href="(\/[^":]*|#[^"]+)"/g)].map(([, href = ""]) => ({ page, href })),
  );
  const broken = targets.filter(({ page, href }) => {
    const [path = "", anchor] = href.split("#");
    if (/\.(css|js|woff2|png|json)$/.test(path)) return false;
    const html = pages.get(path === "" ? page : path);
    return html === undefined || (anchor !== undefined && !html.includes(`id="${decodeURIComponent(anchor)}"`));
  });
  expect(targets.length).toBeGreaterThan(1_000);
  expect(broken).toEqual([]);
});

/** The path at which a server of files shows a page. */
function pathOf(file: string): string {
  return `/${file.replace(/\.html$/, "").replace(/(^|\/)index$/, "$1")}`;
}
