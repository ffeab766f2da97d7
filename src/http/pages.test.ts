import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Hono } from "hono";
import { afterAll, beforeAll, expect } from "vitest";
import { verifies } from "../../test/support/verifies.ts";
import { openConsoleBuild } from "./console-build.ts";
import type { ConsoleBuild } from "./console-build.ts";
import type { HttpEnv } from "./context.ts";
import { pages } from "./pages.ts";

const BROWSER = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const SCRIPT = "console.log(1)";
let folder = "";
const app = new Hono<HttpEnv>();
let build: ConsoleBuild;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "muster-pages-"));
  await mkdir(join(folder, "abc123/assets"), { recursive: true });
  await writeFile(join(folder, "abc123/index.html"), `<meta nonce="__CSP_NONCE__"><title>Muster</title>`);
  await writeFile(join(folder, "abc123/assets/index-X1.js"), SCRIPT);
  await writeFile(join(folder, "abc123/assets/index-X1.js.gz"), gzipSync(SCRIPT));
  build = openConsoleBuild(folder);
  app.use(
    pages({
      build,
      apiRoots: () => new Set(["auth", "console"]),
      serviceName: "Muster",
      framedBy: () => Promise.resolve([]),
    }),
  );
  app.notFound((c) => c.json({ error: "not found" }, 404));
});

afterAll(() => rm(folder, { recursive: true }));

async function putStatus(status: object): Promise<void> {
  await writeFile(join(folder, "status.json"), JSON.stringify(status));
}

verifies("pages.policy", "a page has its own nonce, and a policy that allows nothing from elsewhere", async () => {
  await putStatus({ state: "ready", build: "abc123" });
  const first = await app.request("/", { headers: BROWSER });
  const second = await app.request("/w/mine/runs", { headers: BROWSER });
  expect([first.status, second.status]).toEqual([200, 200]);
  const policy = first.headers.get("Content-Security-Policy") ?? "";
  const [, nonce = ""] = /'nonce-([^']+)'/.exec(policy) ?? [];
  expect(await first.text()).toContain(`nonce="${nonce}"`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  const reported = first.headers.get("Content-Security-Policy-Report-Only");
  expect(reported).toBe("require-trusted-types-for 'script'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  expect(second.headers.get("Content-Security-Policy")).not.toContain(nonce);
  expect(first.headers.get("Cache-Control")).toBe("no-store");
  expect(first.headers.has("Access-Control-Allow-Origin")).toBe(false);
});

verifies("pages.api-untouched", "each page of the console is known", async () => {
  await putStatus({ state: "ready", build: "abc123" });
  const routes = await readFile(new URL("../../console/src/router/public.ts", import.meta.url), "utf8");
  const paths = [...routes.matchAll(/path: "([^"]+)"/g)].map(([, path = ""]) => path.replaceAll(/\$\w+/g, "x"));
  expect(paths.length).toBeGreaterThan(10);
  for (const path of paths) expect((await app.request(path, { headers: BROWSER })).status, path).toBe(200);
});

verifies("live.rebuilt", "streams that were opened during a build learn when it is finished", async () => {
  await putStatus({ state: "ready", build: "abc123" });
  expect(await build.findFinish()).toBe(undefined);
  await putStatus({ state: "building", previous: "abc123" });
  const [one, other] = [await build.findFinish(), await build.findFinish()];
  expect([one?.aborted, other]).toEqual([false, one]);
  await putStatus({ state: "ready", build: "abc123" });
  await expect.poll(() => one?.aborted, { timeout: 10_000 }).toBe(true);
  expect(await build.findFinish()).toBe(undefined);
});

verifies("pages.api-untouched", "the API's paths, other methods and programs get no page", async () => {
  await putStatus({ state: "ready", build: "abc123" });
  const api = await app.request("/auth/nothing", { headers: BROWSER });
  expect([api.status, await api.json()]).toEqual([404, { error: "not found" }]);
  expect((await app.request("/w/mine")).headers.get("Content-Type")).toContain("json");
  expect((await app.request("/w/mine", { method: "POST", headers: BROWSER })).status).toBe(404);
  const unknown = await app.request("/no-such-page", { headers: BROWSER });
  expect([unknown.status, unknown.headers.get("Content-Type")]).toEqual([404, "text/html; charset=utf-8"]);
});

verifies(
  "pages.assets",
  "a file is sent as it was compressed, for a year; unknown ones and ways out are 404",
  async () => {
    const zipped = await app.request("/assets/index-X1.js", { headers: { "Accept-Encoding": "gzip, br" } });
    expect(zipped.headers.get("Content-Encoding")).toBe("gzip");
    expect(zipped.headers.get("Cache-Control")).toContain("immutable");
    expect(zipped.headers.get("Content-Type")).toContain("text/javascript");
    expect(await (await app.request("/assets/index-X1.js")).text()).toBe(SCRIPT);
    for (const path of ["/assets/none.js", "/assets/..%2Findex.html", "/assets/", "/assets/.hidden"])
      expect((await app.request(path)).status, path).toBe(404);
  },
);

verifies(
  "pages.building",
  "the page waits for the first build; later ones keep the previous page; a failed first shows why",
  async () => {
    await putStatus({ state: "building" });
    const waiting = await app.request("/", { headers: BROWSER });
    expect([waiting.status, waiting.headers.get("Retry-After")]).toEqual([503, "1"]);
    expect(await waiting.text()).toContain('http-equiv="refresh"');
    await putStatus({ state: "building", previous: "abc123" });
    const previous = await app.request("/", { headers: BROWSER });
    expect([previous.status, await previous.text()]).toEqual([200, expect.stringContaining("<title>Muster</title>")]);
    await putStatus({ state: "failed", message: "no <main> $&", previous: "abc123" });
    const kept = await app.request("/", { headers: BROWSER });
    const nonce = /'nonce-([^']+)'/.exec(kept.headers.get("Content-Security-Policy") ?? "")?.[1];
    const page = await kept.text();
    expect([kept.status, page]).toEqual([200, expect.stringContaining("<title>Muster</title>")]);
    expect(page).toContain("no &lt;main&gt; $&amp;");
    expect(page).toContain(`<style nonce="${nonce}">`);
    await putStatus({ state: "failed", message: "no <main>" });
    const failed = await app.request("/", { headers: BROWSER });
    expect(failed.status).toBe(500);
    expect(await failed.text()).toContain("no &lt;main&gt;");
    await rm(join(folder, "status.json"));
    expect(await (await app.request("/", { headers: BROWSER })).text()).toContain("npm run build");
  },
);

verifies(
  "pages.links",
  "a one-time link redirects a browser to its page; a program gets the API's response",
  async () => {
    const answer = await app.request("/auth/setup?token=a+b", { headers: BROWSER });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/setup#token=a%20b"]);
    const cutOff = await app.request("/auth/invitations", { headers: BROWSER });
    expect([cutOff.status, cutOff.headers.get("Location")]).toEqual([303, "/invite#token="]);
    expect((await app.request("/auth/setup?token=ab")).status).toBe(404);
  },
);
