import { tmpdir } from "node:os";
import { afterAll, beforeAll, expect } from "vitest";
import { consoleOf, listOf } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";
import { runMuster } from "../support/muster.ts";
import { ENCRYPTION_KEY } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { FAILING, createAgent, createTask, taskIn } from "../support/work.ts";
import { sql } from "../support/workspace.ts";
import { useBrowser } from "./browser.ts";
import { joinAs, openScene, openWorkspace } from "./scene.ts";
import type { Scene } from "./scene.ts";

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

const at = (path: string) => `${scene.service.url}/w/my-workspace${path}`;

async function tenantNamed(slug: string) {
  const operator = consoleOf(scene.service, scene.service.keys.api);
  const all = listOf(await operator.get("/instance/workspaces"));
  return all.find((each) => each["slug"] === slug);
}

verifies(
  ["ops.console", "ops.tenants", "ops.hold", "ops.erase"],
  "an operator sees workspaces by failures, changes a plan, holds, releases and erases one",
  async () => {
    const { slug, api } = await openWorkspace(scene, "Acme");
    const { id: agentId } = await createAgent(api);
    const { id: taskId } = await createTask(api, { assigned_agent_id: agentId, description: FAILING });
    await taskIn(api, taskId, "failed");
    await sql(scene.service.databaseUrl, "select count_run_ends(1000)");
    const page = await browser.newPage({ mayFail: ["confirm=Acne"] });
    await scene.signIn(page);
    await page.goto(at(""));
    await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Instance" }).click();
    await page.getByRole("button", { name: "Order" }).click();
    await page.getByRole("menuitemradio", { name: "Failures today" }).click();
    await page.waitForURL(/\/instance\?order=failures$/);
    const row = page.getByRole("table", { name: "Workspaces" }).getByRole("row", { name: /Acme/ });
    await row.getByText("1 of 1").waitFor();

    const choose = async (item: string | RegExp, role: "menuitem" | "menuitemradio" = "menuitem") => {
      await row.getByRole("button", { name: "Actions for Acme" }).click();
      await page.getByRole(role, { name: item }).click();
    };
    await choose("Pro", "menuitemradio");
    await row.getByText("Pro").waitFor();
    await choose("Hold");
    await page.getByRole("dialog").getByRole("button", { name: "Hold workspace" }).click();
    await row.getByText("Held").waitFor();
    expect(await tenantNamed(slug)).toMatchObject({ plan: "pro", held_at: expect.any(String) });
    // Its people see it, too, until its release.
    const inAcme = await page.context().newPage();
    await inAcme.goto(`${scene.service.url}/w/${slug}`);
    await inAcme.getByText("The operator holds this workspace").waitFor();
    expect(await inAcme.getByRole("link", { name: "Instance" }).count()).toBe(0);
    await choose("Release");
    await row.getByText("Held").waitFor({ state: "detached" });
    await inAcme.getByText("The operator holds this workspace").waitFor({ state: "detached" });
    await inAcme.close();

    await choose("Erase");
    const dialog = page.getByRole("dialog", { name: 'Erase the workspace "Acme"?' });
    await dialog.getByLabel('Type "Acme"').fill("Acne");
    await dialog.getByRole("button", { name: "Erase workspace" }).click();
    await dialog.getByText('it is "Acme"').waitFor();
    await dialog.getByLabel('Type "Acme"').fill("Acme");
    await dialog.getByRole("button", { name: "Erase workspace" }).click();
    await row.waitFor({ state: "detached" });
    await eventually("it is gone", async () => (await tenantNamed(slug)) === undefined);
    const own = page.getByRole("row", { name: /My workspace/ });
    await own.getByRole("button", { name: "Actions for My workspace" }).click();
    expect(await page.getByRole("menuitem", { name: "Erase" }).getAttribute("aria-disabled")).toBe("true");
  },
);

verifies(
  ["ops.console", "ops.processes", "ops.log-level"],
  "an operator sees processes and queues, and sets the log level for some minutes",
  async () => {
    const page = await browser.newPage({ mayFail: ["/log-level"] });
    await scene.signIn(page);
    await page.goto(at("/instance"));
    await page.getByRole("link", { name: "Processes" }).click();
    const processes = page.getByRole("table", { name: "Processes" });
    await processes.getByText("Keeper").waitFor();
    await page
      .getByRole("table", { name: "Queues" })
      .getByRole("row", { name: /Deliveries/ })
      .waitFor();
    await page.getByRole("button", { name: "Log level" }).click();
    const dialog = page.getByRole("dialog", { name: "Log level" });
    await dialog.getByLabel("Level", { exact: true }).selectOption("error");
    await dialog.getByLabel("Minutes").fill("0");
    await dialog.getByRole("button", { name: "Set level" }).click();
    await dialog
      .getByText(/minutes|Minutes must|>=1|at least/i)
      .last()
      .waitFor();
    await dialog.getByLabel("Minutes").fill("3");
    await dialog.getByRole("button", { name: "Set level" }).click();
    await page
      .getByText(/^All processes: error until/)
      .first()
      .waitFor();
    const shown = page.getByRole("region", { name: "Processes" }).getByText(/^All processes: error until/);
    await shown.waitFor();
    await page.reload();
    await shown.waitFor();
    const [set] = await sql<{ value: string }>(
      scene.service.databaseUrl,
      "select value from instance_settings where key = 'log_level'",
    );
    expect(JSON.parse(set?.value ?? "{}")).toMatchObject({ level: "error" });
  },
);

verifies(
  ["ops.console", "ops.erase"],
  "an operator erases a person by address, after a wrong confirmation, and reads the receipt",
  async () => {
    const [own] = listOf(await consoleOf(scene.service, scene.service.keys.api).get("/members"));
    await joinAs(scene, await browser.newSeparatePage(), "member");
    const page = await browser.newPage({ mayFail: ["/instance/people"] });
    await scene.signIn(page);
    await page.goto(at("/instance"));
    await page.getByRole("link", { name: "Erasures" }).click();
    await page.getByRole("button", { name: "Erase person" }).click();
    const dialog = page.getByRole("dialog", { name: "Erase a person" });
    await dialog.getByLabel("E-mail address").fill("member@example.org");
    await dialog.getByLabel("The address again").fill(String(own?.["email"]));
    await dialog.getByRole("button", { name: "Erase person" }).click();
    await dialog.getByText("Confirm with the person's e-mail address").waitFor();
    await dialog.getByLabel("The address again").fill("member@example.org");
    await dialog.getByRole("button", { name: "Erase person" }).click();
    await page
      .getByRole("table", { name: "Erasures" })
      .getByRole("row", { name: /Person/ })
      .getByRole("button")
      .click();
    const receipt = JSON.parse(await page.getByRole("dialog").getByLabel("Receipt", { exact: true }).innerText());
    expect(receipt).toMatchObject({ kind: "person", requested_by: own?.["user_id"] });
  },
);

verifies("ops.console", "who does not operate the instance gets no link to it, and no figures", async () => {
  const page = await browser.newSeparatePage({ mayFail: ["/instance/"] });
  await joinAs(scene, page, "admin");
  await page.getByRole("link", { name: "Settings" }).waitFor();
  await page.goto(at("/instance"));
  await page.getByRole("heading", { name: "Only for operators" }).waitFor();
  expect(await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Instance" }).count()).toBe(
    0,
  );
});

verifies(
  "ops.console.held-copy",
  "a restored copy says on every screen that it is held, and how it is released, until it is",
  async () => {
    const { databaseUrl: url } = scene.service;
    const page = await browser.newPage();
    await scene.signIn(page);
    await page.goto(at("/instance"));
    await page.getByRole("table", { name: "Workspaces" }).waitFor();
    await sql(url, "insert into instance_settings (key, value) values ('held_copy', $1)", [new Date().toISOString()]);
    for (const path of ["/runs", "/agents", "/settings/members", "/instance"]) {
      await page.goto(at(path));
      const band = page.getByRole("status").filter({ hasText: "This is a restored copy" });
      await band.getByText("muster restore --release").first().waitFor();
    }
    const env = { DATABASE_URL: url, ENCRYPTION_KEY };
    expect((await runMuster(["restore", "--release"], { env, cwd: tmpdir() })).code).toBe(0);
    await page.getByText("This is a restored copy").waitFor({ state: "detached" });
  },
);
