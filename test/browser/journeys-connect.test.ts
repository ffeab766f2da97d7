import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect } from "vitest";
import type { Page } from "playwright-core";
import { apiOf, consoleOf } from "../support/api.ts";
import type { Api } from "../support/api.ts";
import { deliveriesOver, listDeliveries, readDelivery, startReceiver } from "../support/destinations/deliveries.ts";
import type { Receiver } from "../support/destinations/deliveries.ts";
import { hasProgram } from "../support/clients/has-program.ts";
import { verifies } from "../support/verifies.ts";
import { eventually } from "../support/eventually.ts";
import { QUICK, createAgent, createTask, taskIn } from "../support/work.ts";
import { sql } from "../support/workspace.ts";
import { startOAuthMcpServer } from "../support/mcp/oauth-server.ts";
import { useBrowser } from "./browser.ts";
import { openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";

let scene: Scene;
let receiver: Receiver;
let desk: Api;
const browser = useBrowser();
beforeAll(async () => {
  receiver = await startReceiver();
  scene = await openScene({ env: { ALLOW_PRIVATE_URLS: "true" } });
  desk = consoleOf(scene.service, scene.service.keys.api);
});
afterAll(async () => {
  await scene.service.stop();
  await receiver.close();
});

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${scene.service.url}/w/my-workspace${path}`);
}

verifies("connect.pages.destinations", "a new route is created and tested in one step", async () => {
  const page = await browser.open(scene, "/destinations");
  await page.getByRole("link", { name: "New route" }).first().click();
  const form = page.getByRole("dialog", { name: "New route" });
  await form.getByLabel("Name").fill("Tried");
  await form.getByLabel("URL").fill(`${receiver.url}/tried`);
  await form.getByRole("button", { name: "Create and send test" }).click();
  await page.getByRole("dialog", { name: "Delivery" }).getByText("Delivered, HTTP 200").waitFor();
  expect(receiver.received("/tried")).toMatchObject([{ task_title: "Test delivery" }]);
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  expect((await desk.delete(`/routes/${id}`)).status).toBe(204);
});

verifies(
  ["connect.pages.destinations", "channels.talk.route"],
  "an agent is connected to a channel, and the page of its route says what is left to do",
  async () => {
    const agent = await createAgent(apiOf(scene.service, scene.service.keys.api), { name: "Concierge" });
    const page = await browser.open(scene, "/destinations");
    await page.getByRole("link", { name: "New route" }).first().click();
    const form = page.getByRole("dialog", { name: "New route" });
    await form.getByLabel("For").selectOption("Conversations with an agent");
    await form.getByLabel("Type").selectOption("Telegram");
    await form.getByLabel("Name").fill("Bot");
    await form.getByLabel("Bot Token").fill("123456:ABC-DEF");
    await form.getByLabel("Secret Token").fill("a-secret-token-of-mine");
    await form.getByLabel("Agent").selectOption("Concierge");
    await form.getByLabel("Who may talk to it").fill("1001, 1002");
    expect(await form.getByRole("button", { name: "Create and send test" }).count()).toBe(0);
    await form.getByRole("button", { name: "Create route" }).click();
    await page.getByRole("heading", { name: "Bot", level: 1 }).waitFor();
    await page.getByText("Let Telegram call the route.").waitFor();
    expect(await page.getByRole("button", { name: "Send test" }).count()).toBe(0);
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    expect((await desk.get(`/routes/${id}`)).body).toMatchObject({
      kind: "agent",
      agent_id: agent.id,
      allowed_user_ids: ["1001", "1002"],
      messages_per_minute: 10,
    });
    expect((await desk.delete(`/routes/${id}`)).status).toBe(204);
  },
);

verifies(
  "connect.pages.destinations",
  "a destination is added and tested; its failures are shown by attempt, and delivered again",
  async () => {
    const page = await browser.open(scene, "/destinations");
    await page.getByRole("link", { name: "New route" }).first().click();
    const form = page.getByRole("dialog", { name: "New route" });
    await form.getByLabel("Name").fill("Results");
    await form.getByLabel("URL").fill(`${receiver.url}/results`);
    await form.getByLabel("Secret").fill("the-secret-of-mine");
    await form.getByLabel("Retries").fill("1");
    await form.getByRole("button", { name: "Create route" }).click();
    await page.getByRole("heading", { name: "Results", level: 1 }).waitFor();
    expect(await page.content()).not.toContain("the-secret-of");
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";

    await page.getByRole("button", { name: "Send test" }).click();
    const sheet = page.getByRole("dialog", { name: "Delivery" });
    await sheet.getByText("Delivered, HTTP 200").waitFor();
    expect(receiver.received("/results").map(({ task_title: title }) => title)).toEqual(["Test delivery"]);
    await sheet.getByRole("button", { name: "Close" }).click();

    receiver.answerWith("/results", 500);
    const api = apiOf(scene.service, scene.service.keys.api);
    const { id: agentId } = await createAgent(api, { name: "Writer" });
    for (const title of ["First report", "Second report"]) {
      const task = await createTask(api, { title, description: QUICK, assigned_agent_id: agentId });
      await taskIn(api, task.id, "completed");
    }
    await deliveriesOver(desk, id, 3);
    await open(page, `/destinations/${id}?status=failed`);
    await page.getByRole("link", { name: "Task completed" }).first().click();
    await sheet.getByText("Failed, HTTP 500").first().waitFor();
    for (const words of ["Attempt 1", "Attempt 2", "Task completed"]) await sheet.getByText(words).first().waitFor();
    await expect.poll(() => sheet.getByLabel("Request", { exact: true }).first().textContent()).toContain("report");
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });

    receiver.answerWith("/results", 200);
    await page.getByRole("button", { name: "Redeliver failed" }).click();
    await page.getByRole("button", { name: "Redeliver all" }).click();
    await page.getByText("2 deliveries sent again.").first().waitFor();
    await deliveriesOver(desk, id, 5);
    const again =
      "select count(*)::int as count from deliveries where redelivery_of is not null and status = 'success'";
    await expect.poll(() => sql(scene.service.databaseUrl, again)).toEqual([{ count: 2 }]);
    await open(page, `/destinations/${id}`);
    await page.getByText("3 of the last 5 delivered, 2 failed").first().waitFor();
    await page.getByRole("link", { name: "Task completed (sent again)" }).first().waitFor();
    expect(
      (await readDelivery(desk, (await listDeliveries(desk, `route_id=${id}&status=failed`))[0]?.id ?? "")).attempts,
    ).toHaveLength(2);
  },
);

verifies(
  ["connect.pages.schedules", "console.forms.stale"],
  "a schedule is created in plain words and by cron, previewed over a clock change, and run now",
  async () => {
    const api = apiOf(scene.service, scene.service.keys.api);
    await createAgent(api, { name: "Planner" });
    const page = await browser.open(scene, "/schedules", { mayFail: ["/schedules/preview"] });
    await page.getByRole("link", { name: "New schedule" }).first().click();
    const form = page.getByRole("dialog", { name: "New schedule" });
    await form.getByLabel("Name").fill("Quarterly report");
    await form.getByLabel("Repeats").selectOption({ label: "Every day" });
    await form.getByLabel("At", { exact: true }).fill("07:30");
    await form.getByText("Every day at 07:30").waitFor();
    await form.getByText("30 7 * * *").waitFor({ state: "attached" });
    await form.getByLabel("Repeats").selectOption({ label: "By a cron expression" });
    const cron = form.getByLabel("Cron expression");
    await expect.poll(() => cron.inputValue()).toBe("30 7 * * *");
    await cron.fill("0 9 1");
    await form.getByText("is not a valid cron expression").waitFor();
    await cron.fill("0 9 1 */3 *");
    const preview = form.getByRole("table", { name: "Next times" });
    await preview.getByText("09:00 GMT+1").first().waitFor();
    await preview.getByText("09:00 GMT+2").first().waitFor();
    const utc = await preview.locator("td:nth-child(2)").allTextContents();
    expect(new Set(utc.map((text) => /\d\d:\d\d/.exec(text)?.[0]))).toEqual(new Set(["08:00", "07:00"]));
    await form.getByLabel("Agent or team").selectOption({ label: "Planner" });
    await form.getByLabel("Title of the task").fill("Write the report");
    await form.getByLabel("Description").fill(QUICK);
    await form.getByRole("button", { name: "Create schedule" }).click();

    await page.getByRole("heading", { name: "Quarterly report", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("None while it is paused.").waitFor();
    await page.getByRole("button", { name: "Run now" }).click();
    await page.getByText("Created a task, by hand").waitFor();
    const tasks = "select t.status, t.title from schedule_fires f join tasks t on t.id = f.task_id";
    await eventually("its task is done", async () => {
      const [task] = await sql(scene.service.databaseUrl, tasks);
      return task?.["status"] === "completed" && task["title"] === "Write the report";
    });
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("table", { name: "Next times" }).waitFor();

    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const edit = page.getByRole("dialog", { name: "Edit Quarterly report" });
    await edit.getByLabel("Name").fill("Report of the quarter");
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await desk.patch(`/schedules/${id}`, { cron: "0 8 1 */3 *" });
    await edit.getByText("Changed elsewhere since you opened this form.").waitFor();
    await edit.getByRole("button", { name: "Save schedule" }).click();
    await page.getByRole("heading", { name: "Report of the quarter", level: 1 }).waitFor();
    expect(await sql(scene.service.databaseUrl, "select name, cron from schedules")).toEqual([
      { name: "Report of the quarter", cron: "0 8 1 */3 *" },
    ]);
    await page.getByRole("link", { name: "Created a task, by hand" }).click();
    await page.getByRole("heading", { name: "Write the report", level: 1 }).waitFor();
  },
);

verifies(
  "connect.pages.triggers",
  "a trigger shows its URL once, its curl line delivers, and a new URL replaces the old one",
  async () => {
    const api = apiOf(scene.service, scene.service.keys.api);
    await createAgent(api, { name: "Clerk" });
    const page = await browser.open(scene, "/triggers");
    await page.getByRole("link", { name: "New trigger" }).first().click();
    const form = page.getByRole("dialog", { name: "New trigger" });
    await form.getByLabel("Name").fill("Returned orders");
    await form.getByLabel("Agent or team").selectOption({ label: "Clerk" });
    await form.getByLabel("Title of the task").fill("Handle the return");
    await form.getByLabel("Description").fill(QUICK);
    await form.getByRole("button", { name: "Create trigger" }).click();
    const shown = page.getByRole("dialog", { name: "URL of the trigger" });
    const line = (await shown.getByLabel("Command", { exact: true }).textContent()) ?? "";
    const url = (await shown.getByLabel("URL", { exact: true }).textContent()) ?? "";
    await shown.getByRole("button", { name: "Done" }).click();
    await page.getByRole("heading", { name: "Returned orders", level: 1 }).waitFor();
    expect(await page.content()).not.toContain(url);

    const { stdout } = await promisify(execFile)("sh", ["-c", line]);
    expect(stdout).toContain("task_id");
    await page.getByRole("link", { name: "Created a task" }).waitFor();
    await page.getByRole("button", { name: "New URL" }).click();
    await page.getByRole("button", { name: "Create new URL" }).click();
    await shown.getByLabel("URL", { exact: true }).waitFor();
    expect(await shown.getByLabel("URL", { exact: true }).textContent()).not.toBe(url);
    await shown.getByRole("button", { name: "Done" }).click();
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(404);
    await page.getByRole("link", { name: "Created a task" }).click();
    await page.getByRole("heading", { name: "Handle the return", level: 1 }).waitFor();
  },
  { skip: !hasProgram("curl") },
);

verifies("mcp.account.console", "a server that needs a sign-in is connected with one button", async () => {
  const server = await startOAuthMcpServer();
  try {
    const page = await browser.open(scene, "/protocols?tab=mcp&edit=yes");
    const form = page.getByRole("dialog", { name: "Connect an MCP server" });
    await form.getByLabel("Name").fill("mail");
    await form.getByLabel("URL").fill(server.url);
    await form.getByRole("button", { name: "List tools" }).click();
    await form.getByText("Each person's own").click();
    await form.getByRole("button", { name: "Sign in" }).click();
    const sheet = page.getByRole("dialog", { name: "mail" });
    await sheet.getByText("You", { exact: true }).waitFor();
    await sheet.getByText("whoami").first().waitFor();
    await sql(scene.service.databaseUrl, "update mcp_accounts set status = 'lost', error = 'It was revoked.'");
    // Home has its sections once there are runs.
    const { id: agent } = await createAgent(scene.api);
    await createTask(scene.api, { assigned_agent_id: agent, description: QUICK });
    await open(page, "");
    await page.getByRole("region", { name: "Sign in again" }).getByRole("link", { name: "mail" }).click();
    await sheet.getByText("It was revoked.").waitFor();
    await sheet.getByRole("button", { name: "Sign in again" }).click();
    await sheet.getByText("On", { exact: true }).waitFor();
    await sheet.getByRole("button", { name: "Disconnect" }).click();
    await page
      .getByRole("dialog", { name: "Disconnect the account" })
      .getByRole("button", { name: "Disconnect" })
      .click();
    await sheet.getByText("None yet.").waitFor();
  } finally {
    await server.close();
  }
});
