import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf, send } from "../support/api.ts";
import { runMuster } from "../support/muster.ts";
import { hasProgram } from "../support/clients/has-program.ts";
import { verifies } from "../support/verifies.ts";
import { QUICK, createAgent, createTask, taskIn } from "../support/work.ts";
import { tokens } from "../../console/src/lib/format.ts";
import { useBrowser } from "./browser.ts";
import { openScene, openWorkspace } from "./scene.ts";
import type { Scene } from "./scene.ts";
import { openScreen } from "./sweep-screens.ts";

const run = promisify(execFile);
const WRONG_TRIES = 12;

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

function openAt(path: string): Promise<Page> {
  return browser.open(scene, path);
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** Makes what the dialog of a settings tab makes, and gives the text that it shows once. */
async function shownOnce(page: Page): Promise<string> {
  const text = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
  await press(page, "Done");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  return text;
}

function statusWith(key: string): Promise<number> {
  return send("GET", `${scene.service.url}/console/api/keys`, { headers: { "x-api-key": key } }).then(
    ({ status }) => status,
  );
}

verifies(
  "pages.budget",
  "a budget asks; after the approval the run continues and the bar agrees with the API",
  async () => {
    const { id: agentId } = await createAgent(scene.api, { name: "Spender" });
    const page = await openAt("/usage?budget=new");
    await page.getByLabel("Limit in USD").fill("");
    await page.getByLabel("Limit in tokens").fill("1");
    await page.getByLabel("When the next call could exceed the limit").selectOption("ask");
    await press(page, "Save budget");
    await page.getByRole("link", { name: "Workspace, per day" }).waitFor();

    const { id } = await createTask(scene.api, { title: "Spend", assigned_agent_id: agentId, description: QUICK });
    await taskIn(scene.api, id, "waiting_for_input");
    await page.goto(`${scene.service.url}/w/my-workspace/runs/${id}`);
    await press(page, "Approve");
    await taskIn(scene.api, id, "completed");

    const desk = consoleOf(scene.service, scene.service.keys.api);
    const budgets = z.array(
      z.looseObject({ id: z.string(), window: z.looseObject({ used_tokens: z.number(), cap_tokens: z.number() }) }),
    );
    const [budget] = budgets.parse((await desk.get("/budgets")).body);
    const { used_tokens: used = 0, cap_tokens: cap = 0 } = budget?.window ?? {};
    expect(used).toBeGreaterThan(1);
    await page.goto(`${scene.service.url}/w/my-workspace/usage`);
    const words = `${tokens(used)} of ${tokens(cap)} used, ${tokens(cap - used)} free`;
    await page.getByRole("img", { name: words }).waitFor();
    await page.getByRole("link", { name: "Workspace, per day" }).click();
    await press(page, "Delete budget");
    await press(page, "Delete budget");
    await page.getByText("No budgets yet.").waitFor();
    expect((await desk.get("/budgets")).body).toEqual([]);
  },
);

verifies("pages.pause", "new work is paused: a task stays queued, and completes once it is resumed", async () => {
  const { id: agentId } = await createAgent(scene.api, { name: "Paused" });
  const page = await openAt("/usage");
  await press(page, "Pause new work");
  await page.getByRole("button", { name: "Resume new work" }).waitFor();
  // On every screen.
  for (const screen of ["/usage", "/agents"]) {
    await page.goto(`${scene.service.url}/w/my-workspace${screen}`);
    await page.getByRole("status").getByText("New work is paused").waitFor();
  }
  await page.goto(`${scene.service.url}/w/my-workspace/usage`);
  const { id } = await createTask(scene.api, { title: "Waits", assigned_agent_id: agentId, description: QUICK });
  await taskIn(scene.api, id, "dispatched");
  await press(page, "Resume new work");
  await page.getByRole("button", { name: "Pause new work" }).waitFor();
  await taskIn(scene.api, id, "completed");
});

verifies(
  "pages.key",
  "a key is created, used by the drawer's requests as copied, rotated and revoked",
  async () => {
    const page = await openAt("/settings/keys");
    await page.getByRole("link", { name: "New key" }).click();
    await page.getByLabel("Label", { exact: true }).fill("Build server");
    await press(page, "Create key");
    const key = await shownOnce(page);
    expect(key).toMatch(/^mst_/);
    expect(await page.content()).not.toContain(key);

    await page.keyboard.press("Alt+a");
    const line = (await page.getByRole("dialog").locator("pre").first().textContent()) ?? "";
    const { stdout } = await run("sh", ["-c", line], { env: { ...process.env, MUSTER_API_KEY: key } });
    expect(stdout).toContain("Build server");
    await press(page, "CLI");
    const command = (await page.getByRole("dialog").locator("pre").first().textContent()) ?? "";
    const listed = await runMuster(command.split(" ").slice(1), { env: { MUSTER_API_KEY: key } });
    expect(listed.stdout).toContain("Build server");
    await page.keyboard.press("Escape");

    await press(page, "Rotate Build server");
    await press(page, "Rotate key");
    const rotated = await shownOnce(page);
    expect([rotated === key, await statusWith(key), await statusWith(rotated)]).toEqual([false, 200, 200]);
    expect(await page.content()).not.toContain(rotated);
    // The newest is on top.
    await page.getByRole("button", { name: "Revoke Build server" }).first().click();
    await press(page, "Revoke key");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect([await statusWith(rotated), await statusWith(key)]).toEqual([401, 200]);
    await page.goto(`${scene.service.url}/w/my-workspace/settings/audit?kind=key`);
    await page.getByText("Rotated the key").waitFor();
    await page
      .getByText(/for the API, /)
      .first()
      .waitFor();
  },
  { skip: !hasProgram("curl") },
);

verifies("pages.invitation", "a person invited as viewer joins, and sees why controls are disabled", async () => {
  const page = await openAt("/settings/members");
  await page.getByRole("link", { name: "Invite" }).click();
  await page.getByLabel("E-mail address").fill("grace@example.org");
  await page.getByLabel("Role", { exact: true }).selectOption("viewer");
  await press(page, "Create link");
  const link = await shownOnce(page);
  expect(await page.content()).not.toContain(link);

  const guest = await browser.newPage();
  await guest.goto(link);
  await guest.getByLabel("Password").fill("a good password");
  await guest.getByRole("button", { name: "Join workspace" }).click();
  await guest.waitForURL("**/w/**");
  const reason = "Needs the role admin; yours is viewer.";
  for (const [path, name] of [
    ["/settings/keys", "New key"],
    ["/settings/members", "Invite"],
    ["/settings/workspace", "Save workspace"],
    ["/usage", "New budget"],
    ["/usage", "Pause new work"],
  ] as const) {
    await openScreen(guest, `${scene.service.url}/w/my-workspace${path}`);
    const button = guest.getByRole("button", { name, exact: true });
    await expect
      .poll(async () => [name, await button.isDisabled(), await button.getAttribute("title")])
      .toEqual([name, true, reason]);
  }
  await openScreen(guest, `${scene.service.url}/w/my-workspace/settings/audit`);
  await guest.getByText(reason).waitFor();
});

verifies("pages.sign-out-everywhere", "signing out everywhere ends the sessions of other browsers", async () => {
  const other = await browser.newPage({ mayFail: ["/"] });
  await scene.signIn(other);
  // A request that is in flight when the session ends is rejected.
  const page = await browser.open(scene, "/settings/profile", { mayFail: ["/console/api/"] });
  await press(page, "Sign out everywhere");
  await page.waitForURL("**/sign-in**");
  await other.goto(`${scene.service.url}/w/my-workspace/runs`);
  await other.waitForURL("**/sign-in**");
});

verifies("pages.sign-in-limit", "too many wrong passwords show the limit", async () => {
  const page = await browser.newPage({ mayFail: ["/auth/sign-in"] });
  await page.goto(`${scene.service.url}/sign-in`);
  await page.getByLabel("E-mail address").fill("nobody@example.org");
  const alert = page.getByRole("alert");
  for (let tries = 0; tries < WRONG_TRIES; tries += 1) {
    await page.getByLabel("Password").fill(`wrong password ${tries}`);
    const answered = page.waitForResponse("**/auth/sign-in");
    await page.getByRole("button", { name: "Sign in", disabled: false }).click();
    if ((await answered).status() === 429) break;
  }
  await alert.filter({ hasText: /[Tt]oo many/ }).waitFor();
});

verifies("live.workspaces", "two workspaces in two tabs stay apart, and a short link finds the right one", async () => {
  const { url } = scene.service;
  const { slug, api: second } = await openWorkspace(scene, "Second office");
  await createTask(scene.api, { title: "Work of the first" });
  const there = await createTask(second, { title: "Work of the second" });

  const context = await browser.newContext();
  const [one, two] = [await context.newPage(), await context.newPage()];
  await scene.signIn(one);
  await one.goto(`${url}/w/my-workspace/runs`);
  await two.goto(`${url}/w/${slug}/runs`);
  await one.getByRole("link", { name: "Work of the first" }).waitFor();
  await two.getByRole("link", { name: "Work of the second" }).waitFor();

  await createTask(scene.api, { title: "More of the first" });
  await one.getByRole("button", { name: "1 new" }).click();
  await one.getByRole("link", { name: "More of the first" }).waitFor();
  await createTask(second, { title: "More of the second" });
  await two.getByRole("button", { name: "1 new" }).click();
  await two.getByRole("link", { name: "More of the second" }).waitFor();
  for (const page of [one, two]) await page.reload();
  await one.getByRole("link", { name: "Work of the first" }).waitFor();
  await two.getByRole("link", { name: "Work of the second" }).waitFor();
  expect(await one.getByText("of the second").count()).toBe(0);
  expect(await two.getByText("of the first").count()).toBe(0);

  await one.goto(`${url}/r/${there.id}`);
  await one.getByRole("heading", { name: "Work of the second" }).waitFor();
  await expect.poll(() => new URL(one.url()).pathname).toBe(`/w/${slug}/runs/${there.id}`);
});
