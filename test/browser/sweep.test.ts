import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { eventually } from "../support/eventually.ts";
import { verifies } from "../support/verifies.ts";
import { DESKTOP, PHONE, useBrowser } from "./browser.ts";
import { openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";
import { seedBuild } from "./seed-build.ts";
import type { BuildSeed } from "./seed-build.ts";

const ARTEFACTS = join(import.meta.dirname, "artefacts");
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const record = z.object({ id: z.string() });
const violations = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

/** What is looked at: a name, an address, and what is there when the screen is complete. */
interface Screen {
  readonly name: string;
  readonly path: (ids: Ids) => string;
  readonly shows: string;
  readonly isPublic?: true;
}

interface Ids {
  readonly build: BuildSeed;
  readonly done: string;
  readonly waiting: string;
}

const SCREENS: readonly Screen[] = [
  { name: "sign-in", path: () => "/sign-in", shows: "Sign in", isPublic: true },
  { name: "sign-up", path: () => "/sign-up", shows: "Create your account", isPublic: true },
  { name: "setup-used", path: () => "/setup#token=none", shows: "This link can't be used", isPublic: true },
  { name: "not-found", path: () => "/no-such-page", shows: "Page not found", isPublic: true },
  { name: "runs", path: () => "/w/my-workspace/runs", shows: "Draft a reply to the press" },
  { name: "runs-empty", path: () => "/w/my-workspace/runs?q=nothing-like-this", shows: "No run matches these filters" },
  { name: "run", path: ({ done }) => `/w/my-workspace/runs/${done}`, shows: "finds parts of words" },
  { name: "run-steps", path: ({ done }) => `/w/my-workspace/runs/${done}?view=timeline`, shows: "Model call 2" },
  { name: "run-waiting", path: ({ waiting }) => `/w/my-workspace/runs/${waiting}`, shows: "Refund order 4711?" },
  { name: "questions", path: () => "/w/my-workspace/questions", shows: "Handle the return of order 4711" },
  { name: "answer", path: ({ waiting }) => `/r/${waiting}/answer`, shows: "Refund order 4711?" },
  { name: "settings-models", path: () => "/w/my-workspace/settings/models", shows: "Built in, needs no key" },
  {
    name: "settings-models-key",
    path: () => "/w/my-workspace/settings/models?vendor=anthropic",
    shows: "Stored encrypted",
  },
  { name: "files", path: () => "/w/my-workspace/files", shows: "returns.csv" },
  { name: "files-empty", path: () => "/w/my-workspace/files?q=nothing-like-this", shows: "No file matches" },
  {
    name: "file-preview",
    path: ({ build }) => `/w/my-workspace/files?file=${build.page}`,
    shows: "Given to work",
  },
  { name: "knowledge", path: () => "/w/my-workspace/knowledge", shows: "Lost property" },
  {
    name: "knowledge-search",
    path: ({ build }) => `/w/my-workspace/knowledge?view=search&base=${build.base}&ask=lost+property`,
    shows: "six weeks",
  },
  { name: "knowledge-add", path: () => "/w/my-workspace/knowledge?add=documents", shows: "Choose files" },
  { name: "new-task", path: () => "/w/my-workspace/runs?new=task", shows: "New task" },
];

const SOURCE =
  "[[say:**Release 4.2** finds parts of words, and exports all columns. See [the notes](https://example.org/notes) or run `export --all`.]]";

let scene: Scene;
let ids: Ids;
const browser = useBrowser();

beforeAll(async () => {
  await mkdir(ARTEFACTS, { recursive: true });
  scene = await openScene();
  ids = await fill(scene);
});
afterAll(() => scene.service.stop());

/** One run in each state. */
async function fill({ api }: Scene): Promise<Ids> {
  const agent = async (name: string, tools: readonly string[]) =>
    record.parse((await api.post("/api-agents", { name, model: "demo", tools })).body).id;
  const [writer, support] = [
    await agent("Release writer", ["current_time"]),
    await agent("Support", ["request_approval"]),
  ];
  const give = async (title: string, description: string, assigned_agent_id: string | null = writer) =>
    record.parse((await api.post("/api-tasks", { title, description, assigned_agent_id })).body).id;
  const question = {
    title: "Refund order 4711?",
    description: "The customer **returned** the lamp on Monday. The refund is $84.00.",
    timeoutMs: 86_400_000,
  };
  const done = await give("Summarise the release notes", `[[tool:current_time {"time_zone":"Asia/Tokyo"}]]\n${SOURCE}`);
  const waiting = await give(
    "Handle the return of order 4711",
    `[[tool:request_approval ${JSON.stringify(question)}]]`,
    support,
  );
  const failed = await give("Translate the handbook", "[[fail:The model refused the request.]]");
  await give("Write the newsletter for December", "", null);
  for (const title of ["Draft a reply to the press", "Check yesterday's invoices", "Compare three suppliers for paper"])
    await give(title, "[[say:Done.]]");
  const statusOf = async (id: string) =>
    z.object({ status: z.string() }).parse((await api.get(`/api-tasks?id=${id}`)).body).status;
  await eventually(
    "the tasks are in their states",
    async () =>
      (await statusOf(done)) === "completed" &&
      (await statusOf(waiting)) === "waiting_for_input" &&
      (await statusOf(failed)) === "failed",
  );
  return { done, waiting, build: await seedBuild(scene) };
}

for (const [device, viewport] of [
  ["1280", DESKTOP],
  ["360", PHONE],
] as const) {
  for (const theme of ["light", "dark"] as const) {
    verifies(
      "pages.accessible",
      `every screen is accessible, fits, and breaks no policy at ${device} px in ${theme}`,
      async () => {
        const page = await browser.newPage({ viewport, theme, mayFail: ["/auth/setup", "/no-such-page"] });
        const axe = await readFile(AXE, "utf8");
        const found: Record<string, unknown> = {};
        for (const screen of SCREENS.filter(({ isPublic }) => isPublic)) await look(screen, page);
        await scene.signIn(page);
        for (const screen of SCREENS.filter(({ isPublic }) => !isPublic)) await look(screen, page);
        expect(found).toEqual({});

        async function look({ name, path, shows }: Screen, on: Page): Promise<void> {
          await on.goto(scene.service.url + path(ids));
          await on.getByText(shows).filter({ visible: true }).first().waitFor();
          await on.evaluate("document.fonts.ready.then(() => true)");
          await on.screenshot({ path: join(ARTEFACTS, `${name}-${device}-${theme}.png`) });
          const wide = z.number().parse(await on.evaluate("document.documentElement.scrollWidth - innerWidth"));
          if (wide > 0) found[`${name} scrolls`] = wide;
          await on.evaluate(axe);
          const faults = violations.parse(
            await on.evaluate(`axe.run({ runOnly: ${JSON.stringify(TAGS)} }).then(({ violations }) => violations)`),
          );
          for (const { id, nodes } of faults) found[`${name}: ${id}`] = nodes.map(({ html }) => html);
        }
      },
    );
  }
}

afterAll(async () => {
  const rows = SCREENS.map(
    ({ name }) =>
      `<h2>${name}</h2>${["1280-light", "1280-dark", "360-light", "360-dark"].map((kind) => `<img src="${name}-${kind}.png" width="${kind.startsWith("360") ? 180 : 640}">`).join("")}`,
  );
  await writeFile(
    join(ARTEFACTS, "index.html"),
    `<!doctype html><meta charset="utf-8"><title>Screens</title>${rows.join("")}`,
  );
});
