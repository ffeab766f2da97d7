import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { createTeam } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";
import { DESKTOP, PHONE, useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";
import { prepareScan, violationsOn } from "../sweep-screens.ts";

const NAMES = ["Ann", "Ben", "Cleo", "Dora"] as const;
const configs = z.array(z.object({ config: z.looseObject({ steps: z.array(z.looseObject({})).optional() }) }));

let scene: Scene;
let ids: ReadonlyMap<string, string>;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
  const made = [];
  for (const name of NAMES) made.push([name, (await createAgent(scene.api, { name, tools: [] })).id] as const);
  ids = new Map(made);
});
afterAll(() => scene.service.stop());

/** A pipeline that Ann drafts and Ben publishes, open on its page. */
async function openPipeline(page: Page): Promise<string> {
  const steps = [
    { step_name: "Draft", agent_id: ids.get("Ann"), expected_output: "A page." },
    { step_name: "Publish", agent_id: ids.get("Ben") },
  ];
  return openTeam(page, { name: "Newsroom", mode: "pipeline", config: { steps } });
}

async function openTeam(page: Page, team: Readonly<Record<string, unknown>>): Promise<string> {
  const { id } = await createTeam(scene.api, team);
  await scene.signIn(page);
  await page.goto(`${scene.service.url}/w/my-workspace/teams/${id}`);
  await page.getByRole("figure").getByText("Ann").first().waitFor();
  return id;
}

/** The text of each box that has an agent, in reading order: what the graph shows. */
async function shown(page: Page): Promise<readonly string[]> {
  const boxes = await page.getByRole("figure").getByRole("button").allInnerTexts();
  return boxes.map((text) => text.replaceAll(/\s+/gu, " ").trim()).filter((text) => !text.startsWith("Add "));
}

/** A box of the graph, by what it says. */
function boxOf(page: Page, name: string) {
  return page.getByRole("figure").getByRole("button", { name });
}

function focused(page: Page): Promise<string> {
  return page.locator(":focus").innerText();
}

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole("menuitem", { name: item }).click();
}

/** Moves to an entry of the open menu by the arrow down, and presses Enter. */
async function pressItem(page: Page, item: string): Promise<void> {
  // A menu takes the focus a moment after it opens; a key before that would go to the graph.
  await page.getByRole("menuitem", { name: item }).waitFor();
  await page.locator("[role=menuitem]:focus").waitFor();
  for (let before = await focused(page); !before.startsWith(item); before = await focused(page)) {
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => focused(page)).not.toBe(before);
  }
  await page.keyboard.press("Enter");
}

async function save(page: Page, id: string) {
  await page.getByRole("button", { name: "Save team" }).click();
  await page.getByRole("button", { name: "Save team" }).waitFor({ state: "detached" });
  return configs.parse(await sql(scene.service.databaseUrl, "select config from teams where id = $1", [id]))[0]?.config;
}

/** The names of the steps with their agents, as the database has them. */
function stored(config: Readonly<Record<string, unknown>> | undefined) {
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const step = z.looseObject({
    step_name: z.string(),
    agent_id: z.string().nullish(),
    parallel_agents: z.array(z.string()).default([]),
    merge_agent_id: z.string().nullish(),
  });
  return z
    .array(step)
    .parse(config?.["steps"])
    .map(({ step_name: title, agent_id: agent, ...group }) => {
      const agents = [agent, ...group.parallel_agents, group.merge_agent_id];
      return [title, ...agents.flatMap((id) => (id == null ? [] : [names.get(id)]))];
    });
}

verifies(
  "team-screens.graph.keyboard",
  "a pipeline is edited in the graph with the keyboard alone, undone, and saved as it is shown",
  async () => {
    const page = await browser.newPage();
    const id = await openPipeline(page);
    // Arrow keys lead from box to box.
    await boxOf(page, "Draft Ann").focus();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => focused(page)).toContain("Publish");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => focused(page)).toBe("Add step");
    await page.keyboard.press("Home");

    await page.keyboard.press("Enter");
    await pressItem(page, "Add parallel branch");
    await pressItem(page, "Cleo");
    await boxOf(page, "Cleo").waitFor();
    await expect.poll(() => focused(page)).toBe("Cleo");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => focused(page)).toBe("Ann");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await pressItem(page, "Merge by an agent");
    await pressItem(page, "Dora");
    await expect.poll(() => focused(page)).toContain("Merge");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await pressItem(page, "Add step after");
    await pressItem(page, "Ann");
    await expect.poll(() => focused(page)).toContain("Step 3");
    await page.keyboard.press("Alt+ArrowUp");
    await page.getByRole("status").getByText("Step 3 is now step 2 of 3").waitFor({ state: "attached" });
    await expect.poll(() => focused(page)).toContain("Step 2");

    await page.keyboard.press("Delete");
    await expect.poll(() => focused(page)).toContain("Draft");
    await expect.poll(() => shown(page)).toEqual(["Draft in parallel", "Ann", "Cleo", "Merge Dora", "Publish Ben"]);
    await page.keyboard.press("Control+z");
    await boxOf(page, "Step 2 Ann").waitFor();
    await page.keyboard.press("Control+z");
    await boxOf(page, "Step 3 Ann").waitFor();
    await page.keyboard.press("Control+Shift+Z");
    await boxOf(page, "Step 2 Ann").waitFor();

    // The list has the same steps; the settings of one open from its box.
    await boxOf(page, "Step 2 Ann").focus();
    await page.keyboard.press("Enter");
    await pressItem(page, "Edit details");
    await page.keyboard.type("Check");
    const boxes = ["Draft in parallel", "Ann", "Cleo", "Merge Dora", "Check Ann", "Publish Ben"];
    await boxOf(page, "Check Ann").waitFor();
    await expect.poll(() => shown(page)).toEqual(boxes);
    const config = await save(page, id);
    expect(stored(config)).toEqual([
      ["Draft", "Ann", "Cleo", "Dora"],
      ["Check", "Ann"],
      ["Publish", "Ben"],
    ]);
    expect(config?.steps?.[0]).toMatchObject({ expected_output: "A page.", type: "fan_out" });
    await page.reload();
    await page.getByRole("figure").getByText("Dora").waitFor();
    await expect.poll(() => shown(page)).toEqual(boxes);
  },
);

verifies(
  "team-screens.graph.pointer",
  "a pipeline is edited in the graph with the mouse, and by touch on a phone",
  async () => {
    const page = await browser.newPage();
    const id = await openPipeline(page);
    await boxOf(page, "Draft Ann").click();
    await choose(page, "Change agent…");
    await page.getByRole("menuitem", { name: "Cleo" }).waitFor();
    expect(await page.getByRole("menuitem", { name: "Ann" }).count()).toBe(0);
    await choose(page, "Cleo");
    await boxOf(page, "Add step").click();
    await choose(page, "Dora");
    await boxOf(page, "Publish Ben").click();
    await choose(page, "Remove step");
    await expect.poll(() => shown(page)).toEqual(["Draft Cleo", "Step 2 Dora"]);
    await page.getByRole("button", { name: "Undo edit" }).click();
    await boxOf(page, "Publish Ben").click();
    await choose(page, "Move up");
    await expect.poll(() => shown(page)).toEqual(["Publish Ben", "Draft Cleo", "Step 3 Dora"]);
    expect(stored(await save(page, id))).toEqual([
      ["Publish", "Ben"],
      ["Draft", "Cleo"],
      ["", "Dora"],
    ]);
    // What was discarded can be had back.
    await boxOf(page, "Publish Ben").press("Delete");
    await page.getByRole("button", { name: "Discard" }).click();
    await boxOf(page, "Publish Ben").waitFor();
    await page.getByRole("button", { name: "Undo edit" }).click();
    await page.getByText("Not saved").waitFor({ state: "attached" });
    await expect.poll(() => shown(page)).toEqual(["Draft Cleo", "Step 2 Dora"]);

    const phone = await browser.newPage({ viewport: PHONE });
    const other = await openPipeline(phone);
    await boxOf(phone, "Draft Ann").tap();
    await phone.getByRole("menuitem", { name: "Add parallel branch…" }).tap();
    await phone.getByRole("menuitem", { name: "Dora" }).tap();
    await boxOf(phone, "Add branch").tap();
    await phone.getByRole("menuitem", { name: "Cleo" }).tap();
    await expect.poll(() => shown(phone)).toEqual(["Draft in parallel", "Ann", "Dora", "Cleo", "Publish Ben"]);
    expect(stored(await save(phone, other))).toEqual([
      ["Draft", "Ann", "Dora", "Cleo"],
      ["Publish", "Ben"],
    ]);
  },
);

verifies(
  "team-screens.graph.modes",
  "the graphs of an orchestrator and of a collaboration edit their agents",
  async () => {
    const page = await browser.newPage();
    const [ann, ben, cleo, dora] = NAMES.map((name) => ids.get(name));
    const orchestrator = { brain_agent_id: ann, worker_agent_ids: [ben, cleo] };
    const led = await openTeam(page, { name: "Desk", mode: "orchestrator", config: orchestrator });
    await boxOf(page, "Brain gives work Ann").click();
    await choose(page, "Dora");
    await boxOf(page, "Brain judges and answers Dora").waitFor();
    await boxOf(page, "Add worker").click();
    await choose(page, "Ann");
    await boxOf(page, "Ben").press("Delete");
    expect(await save(page, led)).toMatchObject({ brain_agent_id: dora, worker_agent_ids: [cleo, ann] });

    const collaboration = { agent_ids: [ann, ben], max_turns: 4 };
    const talk = await openTeam(page, { name: "Council", mode: "collaboration", config: collaboration });
    await boxOf(page, "Discussion, up to 4 turns").click();
    await choose(page, "Add facilitator…");
    await choose(page, "Cleo");
    await boxOf(page, "Ben").press("Alt+ArrowUp");
    await expect
      .poll(() => shown(page))
      .toEqual(["Facilitator Cleo", "Discussion, up to 4 turns in turn", "Ben", "Ann"]);
    expect(await save(page, talk)).toMatchObject({ agent_ids: [ben, ann], facilitator_agent_id: cleo });
  },
);

verifies(
  "pages.accessible",
  "the graph of a team is accessible while a menu is open and covers other controls",
  async () => {
    const [brain, ...workers] = NAMES.map((name) => ids.get(name));
    for (const viewport of [DESKTOP, PHONE]) {
      const page = await browser.newSeparatePage({ viewport });
      await prepareScan(page);
      await openTeam(page, {
        name: "Desk",
        mode: "orchestrator",
        config: { brain_agent_id: brain, worker_agent_ids: workers },
      });
      const boxes = page.getByRole("figure").getByRole("button");
      for (const box of await boxes.all()) {
        await box.press("Enter");
        await page.getByRole("menu").waitFor();
        expect(await violationsOn(page)).toEqual([]);
        await page.keyboard.press("Escape");
        await page.getByRole("menu").waitFor({ state: "detached" });
        // The menu gives the focus back a moment after it is gone; that would close the next one.
        await box.and(page.locator(":focus")).waitFor();
      }
    }
  },
);
