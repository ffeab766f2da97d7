import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf } from "../../support/api.ts";
import { callOf } from "../../support/interactions.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, readAgent, taskIn } from "../../support/work.ts";
import { addMember, sql } from "../../support/workspace.ts";
import { useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

const SLACK = { bot_token: "xoxb-1-2-secret", channel_id: "C0PEOPLE", signing_secret: "a-signing-secret" };

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
  const [workspace] = await sql<{ id: string }>(scene.service.databaseUrl, "select id from workspaces");
  for (const [name, role] of [
    ["Ben", "admin"],
    ["Cleo", "member"],
  ] as const) {
    const { userId } = await addMember(scene.service.databaseUrl, workspace?.id ?? "", role);
    const named = [userId, name, `${name.toLowerCase()}@example.org`];
    await sql(scene.service.databaseUrl, "update users set name = $2, email = $3 where id = $1", named);
  }
});
afterAll(() => scene.service.stop());

const desk = () => consoleOf(scene.service, scene.service.keys.api);

verifies("approvals.console", "the form of an agent has its rules as sentences, and adds and edits them", async () => {
  const { id } = await createAgent(scene.api, { name: "Buyer" });
  const page = await browser.open(scene, `/agents/${id}`, { mayFail: ["/functions/v1/api-agents"] });
  const rules = page.getByRole("region", { name: "Rules on approvals" });
  await rules.getByRole("button", { name: "Add rule" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Abroad");
  await dialog.getByLabel("Calls of").selectOption("current_time");
  await dialog.getByLabel("Conditions on arguments").fill("time_zone = x");
  await dialog.getByRole("button", { name: "Keep rule" }).click();
  await dialog.getByText("is no condition").waitFor();
  await dialog.getByLabel("Conditions on arguments").fill("/time_zone matches ^Europe/");
  await dialog.getByLabel("And these people").fill("ben@example.org");
  await dialog.getByLabel("How many must approve").fill("7");
  await picture(page, "rule");
  await dialog.getByRole("button", { name: "Keep rule" }).click();
  await rules.getByText("needs 7 approvals of ben@example.org or any admin.").waitFor();
  await page.getByRole("button", { name: "Save version" }).click();
  await rules.getByText("can never be met").waitFor();
  await rules.getByRole("button", { name: "Edit rule 1" }).click();
  await dialog.getByLabel("How many must approve").fill("1");
  await dialog.getByRole("button", { name: "Keep rule" }).click();
  await page.getByRole("button", { name: "Save version" }).click();
  await page.getByText("Saved as version 2.", { exact: true }).waitFor();
  await rules.getByText("where /time_zone matches ^Europe/ needs the approval of Ben or any admin.").waitFor();
  await picture(page, "rules");
  expect((await readAgent(scene.api, id))["config"]).toMatchObject({ approvals: [{ name: "Abroad", need: 1 }] });
});

verifies(
  "approvals.console.workspace",
  "the settings have the workspace's rules: an admin adds, changes, orders and removes them",
  async () => {
    const people = { name: "Finance", kind: "people", type: "slack", config: SLACK };
    const made = await desk().post("/routes", { ...people, members: [{ member: "ben@example.org" }] });
    const { id } = z.object({ id: z.string() }).parse(made.body);
    await (await browser.open(scene, `/destinations/${id}`)).getByText("Ben by the link").waitFor();
    const page = await browser.open(scene, "/settings/approvals", { mayFail: ["/console/api/workspace/approvals"] });
    await page.getByText("No rules yet").waitFor();
    await picture(page, "settings-empty");
    await page.getByRole("button", { name: "Add rule" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Web");
    await dialog.getByLabel("Calls of").selectOption("http_request");
    await dialog.getByLabel("Ask", { exact: true }).selectOption("");
    await dialog.getByLabel("And in the channel").selectOption("Finance");
    await dialog.getByLabel("How many must approve").fill("2");
    await dialog.getByRole("button", { name: "Add escalation" }).click();
    await dialog.getByLabel("After minutes").fill("90");
    await dialog.getByLabel("Ask", { exact: true }).last().selectOption("owner");
    await picture(page, "settings-rule");
    await dialog.getByRole("button", { name: "Save rule" }).click();
    await dialog.getByText("can never be met: 2 must approve, and the rule asks 1").waitFor();
    await dialog.getByLabel("How many must approve").fill("1");
    await dialog.getByRole("button", { name: "Save rule" }).click();
    await page.getByText("needs the approval of the people of Finance. After 90 minutes, also of any owner.").waitFor();
    await page.getByRole("button", { name: "Add rule" }).click();
    await dialog.getByLabel("Name").fill("All");
    await dialog.getByRole("button", { name: "Save rule" }).click();
    await page.getByRole("button", { name: "Move rule 2 up" }).click();
    await page.getByRole("listitem").first().getByText("Any call needs the approval of any admin.").waitFor();
    await picture(page, "settings-rules");
    const saved = async () => {
      const { body } = await desk().get("/workspace/approvals");
      return z.object({ approvals: z.array(z.looseObject({ name: z.string() })) }).parse(body).approvals;
    };
    expect((await saved()).map(({ name }) => name)).toEqual(["All", "Web"]);
    expect((await saved())[1]).toMatchObject({ after: [{ seconds: 5_400, ask: { role: "owner" } }] });

    // Somebody else changes them while one is open.
    await page.getByRole("button", { name: "Edit rule 1" }).click();
    await desk().call("PUT", "/workspace/approvals", { body: { approvals: (await saved()).slice(1) } });
    await dialog.getByRole("button", { name: "Save rule" }).click();
    await dialog.getByText("Somebody else has changed the rules.").waitFor();
    await dialog.getByRole("button", { name: "Close", exact: true }).first().click();
    await page.getByRole("button", { name: "Edit rule 1" }).click();
    await dialog.getByRole("button", { name: "Remove rule" }).click();
    await page.getByRole("button", { name: "Remove rule" }).click();
    await page.getByText("No rules yet").waitFor();
    expect(await saved()).toEqual([]);
  },
);

verifies("approvals.console", "the page of a question shows why it is asked, the votes, and who may vote", async () => {
  const after = [{ seconds: 3_600, ask: { people: ["cleo@example.org"] } }];
  const rule = { name: "All", when: {}, ask: { role: "admin" }, need: 2, starter: true, after };
  const agent = await createAgent(scene.api, { name: "Asker", config: { approvals: [rule] } });
  const description = callOf("current_time", { time_zone: "Europe/Oslo" });
  const { id } = await createTask(scene.api, { title: "Ask", description, assigned_agent_id: agent.id });
  await taskIn(scene.api, id, "waiting_for_input");
  const page = await browser.open(scene, `/questions?agent=${agent.id}`);
  await page.getByText("The rule “All” asks about every call.").waitFor();
  await page.getByText("0 of 2 approved").waitFor();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText(/^1 of 2 approved: /).waitFor();
  await page.getByText("May still answer: Ben").waitFor();
  await page.getByText(/^From .+ also: Cleo$/).waitFor();
  await page.getByText("You approved it. Others decide now.").waitFor();
  await picture(page, "votes");
});

/** Takes pictures in all looks, when they are asked for. */
async function picture(page: Awaited<ReturnType<typeof browser.open>>, name: string): Promise<void> {
  const folder = process.env["PICTURES_OF_APPROVALS"];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1280, 360]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page
        .getByText(/needs the approval of /)
        .first()
        .scrollIntoViewIfNeeded({ timeout: 500 })
        .catch(() => undefined);
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`) });
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}
