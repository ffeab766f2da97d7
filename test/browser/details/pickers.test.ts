import { afterAll, beforeAll, expect } from "vitest";
import { startMcpServer } from "../../support/mcp/server.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask, taskIn } from "../../support/work.ts";
import { createTeam } from "../../support/teams.ts";
import { sql } from "../../support/workspace.ts";
import { useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene({ env: { ALLOW_PRIVATE_URLS: "true" } });
});
afterAll(() => scene.service.stop());

const MANY = `
  insert into agents (id, workspace_id, name, model, provider)
  select gen_random_uuid(), id, 'Clerk ' || n, 'demo', 'demo' from workspaces, generate_series(1, 120) n`;

verifies("console.pickers", "one of many agents is found by its name and chosen with the keyboard alone", async () => {
  const oldest = await createAgent(scene.api, { name: "Archivist" });
  await sql(scene.service.databaseUrl, MANY);
  const page = await browser.open(scene, "/runs?new=task");
  // Until the agents are there it is a list.
  await page.locator("input[role=combobox]").waitFor();
  const field = page.getByRole("combobox", { name: "Agent or team" });
  await field.focus();
  await page.keyboard.type("archi");
  // Before its results are there: the first of those is chosen, not the first of all agents.
  await page.keyboard.press("Enter");
  await expect.poll(() => field.inputValue()).toBe("Archivist");
  await field.press("ArrowDown");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("option").first().waitFor({ state: "detached" });
  await page.getByRole("dialog", { name: "New task" }).waitFor();
  await page.getByLabel("Title", { exact: true }).fill("File the letters");
  await page.getByRole("button", { name: "Give task" }).click();
  await page.getByRole("heading", { name: "File the letters", level: 1 }).waitFor();
  await expect
    .poll(() => sql(scene.service.databaseUrl, "select assigned_agent_id from tasks where title = 'File the letters'"))
    .toEqual([{ assigned_agent_id: oldest.id }]);
});

verifies(
  "console.pickers.all",
  "the oldest of many agents is shown in its team, and its tag can be chosen",
  async () => {
    const oldest = await createAgent(scene.api, { name: "Librarian", tags: ["archive"] });
    await sql(scene.service.databaseUrl, MANY);
    const team = await createTeam(scene.api, { config: { steps: [{ agent_id: oldest.id }] } });
    const page = await browser.newPage();
    await scene.signIn(page);
    const isAsked = Promise.withResolvers<undefined>();
    await page.route(`**/api-agents?id=${oldest.id}`, async (route) => {
      await isAsked.promise;
      await route.continue();
    });
    await page.goto(`${scene.service.url}/w/my-workspace/teams/${team.id}`);
    const figure = page.getByRole("figure", { name: "How the work goes" });
    // An id would be read as a name.
    await figure.getByText("…", { exact: true }).waitFor();
    isAsked.resolve(undefined);
    await figure.getByText("Librarian", { exact: true }).waitFor();
    for (const list of ["agents", "runs"]) {
      await page.goto(`${scene.service.url}/w/my-workspace/${list}`);
      await page.getByRole("button", { name: "Tag", exact: true }).click();
      await page
        .getByRole("menuitemradio", { name: "archive" })
        .or(page.getByRole("menuitemcheckbox", { name: "archive" }))
        .waitFor();
      await page.keyboard.press("Escape");
    }
  },
);

verifies(
  "console.mcp-server",
  "tools are listed before a server is connected; a header is stored and changed without being shown",
  async () => {
    const server = await startMcpServer("stateless");
    try {
      const page = await browser.open(scene, "/protocols?tab=mcp");
      await page.getByRole("link", { name: "Connect server" }).first().click();
      const form = page.getByRole("dialog", { name: "Connect an MCP server" });
      await form.getByLabel("Name", { exact: true }).fill("tracker");
      await form.getByLabel("URL").fill(server.url);
      await form.getByRole("button", { name: "Add header" }).click();
      await form.getByLabel("Header", { exact: true }).fill("X-Team-Token");
      await form.getByLabel("Value", { exact: true }).fill("a-token-of-mine-1234");
      await form.getByRole("button", { name: "List tools" }).click();
      await form.getByText("echo", { exact: true }).waitFor();
      await expect.poll(() => sql(scene.service.databaseUrl, "select name from mcp_servers")).toEqual([]);
      expect(server.headers.at(-1)?.["x-team-token"]).toBe("a-token-of-mine-1234");

      await form.getByRole("button", { name: "Connect", exact: true }).click();
      const sheet = page.getByRole("dialog", { name: "tracker" });
      await sheet.getByText("echo", { exact: true }).waitFor();
      expect(await page.content()).not.toContain("a-token-of-mine");
      await sheet.getByRole("button", { name: "Edit" }).click();
      const edit = page.getByRole("dialog", { name: "Edit tracker" });
      await edit.getByRole("button", { name: "Add header" }).click();
      await edit.getByLabel("Header", { exact: true }).last().fill("X-Desk");
      await edit.getByLabel("Value", { exact: true }).fill("desk-7");
      await edit.getByRole("button", { name: "Save server" }).click();
      await sheet.getByText("X-Desk").waitFor();
      expect(server.headers.at(-1)).toMatchObject({ "x-team-token": "a-token-of-mine-1234", "x-desk": "desk-7" });
      expect(await page.content()).not.toContain("a-token-of-mine");
    } finally {
      await server.close();
    }
  },
);

verifies("console.pickers.run", "two runs are found by their titles and compared", async () => {
  const agent = await createAgent(scene.api, { name: "Comparer" });
  for (const title of ["Harbour report of May", "Harbour report of June"]) {
    const { id } = await createTask(scene.api, { title, description: QUICK, assigned_agent_id: agent.id });
    await taskIn(scene.api, id, "completed");
  }
  const page = await browser.open(scene, "/runs/compare");
  const isPressed = Promise.withResolvers<undefined>();
  await page.route(/q=harbour/, async (route) => {
    await isPressed.promise;
    await route.continue();
  });
  const may = page.getByRole("option", { name: /of May/ });
  const june = page.getByRole("option", { name: /of June/ });
  const found = page.waitForResponse(/q=harbour/);
  const first = page.getByRole("combobox", { name: "Run A" });
  // The runs before the search: they stay until its results come.
  await first.click();
  await june.waitFor();
  await first.fill("harbour may");
  await may.hover();
  // The results, of which it is the first, come while it is pressed.
  await page.mouse.down();
  isPressed.resolve(undefined);
  await (await found).finished();
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  await page.mouse.up();
  await page.getByRole("option").first().waitFor({ state: "detached" });
  await page.getByRole("combobox", { name: "Run B" }).fill("harbour june");
  await june.click();
  await page.getByRole("table", { name: "The two runs" }).waitFor();
  await page.getByRole("link", { name: "Harbour report of May" }).waitFor();
  await page.getByRole("link", { name: "Harbour report of June" }).waitFor();
});

verifies("console.pickers.run", "a picker says that it searches until its first results come", async () => {
  const page = await browser.newPage();
  await scene.signIn(page);
  const isSeen = Promise.withResolvers<undefined>();
  await page.route(/\/runs\?(?:.*&)?limit=/, async (route) => {
    await isSeen.promise;
    await route.continue();
  });
  await page.goto(`${scene.service.url}/w/my-workspace/runs/compare`);
  const field = page.getByRole("combobox", { name: "Run A" });
  await field.fill("no run is called this");
  await page.getByRole("option", { name: "Searching…" }).waitFor();
  isSeen.resolve(undefined);
  await page.getByRole("option", { name: "Nothing matches" }).waitFor();
});
