import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { build } from "vite";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { useBrowser } from "../browser.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** An http page that is not on localhost, which the test answers itself. */
const SITE = "http://app.example";
/** What older browsers lack. */
const OLDER = `delete ReadableStream.prototype[Symbol.asyncIterator];
delete ReadableStream.prototype.values;
delete AbortSignal.any;
delete AbortSignal.timeout;
`;
const program = (key: string) => `import { createClient } from "${join(ROOT, "clients/typescript/src/index.ts")}";
const muster = createClient({ url: "${SITE}", key: "${key}" });
const agent = await muster.createAgent({ name: "In a page", model: "demo" });
const task = await muster.createTask({ title: "Say hello", assigned_agent_id: agent.id });
const types = [];
for await (const { event } of muster.streamTask({ agentId: agent.id, taskId: task.id })) types.push(event.type);
document.title = [window.isSecureContext, typeof crypto.randomUUID, types.at(-1)].join(" ");
`;

let service: SharedService;
let folder: string;
const browser = useBrowser();

beforeAll(async () => {
  service = await useSharedService();
  await mkdir(join(ROOT, ".runtime"), { recursive: true });
  folder = await mkdtemp(join(ROOT, ".runtime/client-page-"));
});
afterAll(() => rm(folder, { recursive: true }));

verifies(
  "client.browsers",
  "a page without a secure context runs a task, in a browser without newer parts",
  async () => {
    await writeFile(join(folder, "program.js"), program(service.keys.api));
    await build({
      configFile: false,
      logLevel: "error",
      build: {
        outDir: join(folder, "built"),
        target: "es2022",
        rollupOptions: { input: join(folder, "program.js"), output: { entryFileNames: "program.js" } },
      },
    });
    const page = await browser.newSeparatePage();
    await page.addInitScript(OLDER);
    await page.route(`${SITE}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === "/program.js") return route.fulfill({ path: join(folder, "built/program.js") });
      if (pathname === "/") {
        const html = '<link rel="icon" href="data:,"><script type="module" src="/program.js"></script>';
        return route.fulfill({ contentType: "text/html", body: html });
      }
      return route.fulfill({ response: await route.fetch({ url: service.url + pathname }) });
    });
    await page.goto(SITE);
    await expect.poll(() => page.title()).toBe("false undefined RUN_FINISHED");
  },
);
