import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf } from "../../support/api.ts";
import { verifies } from "../../support/verifies.ts";
import { createTeam } from "../../support/teams.ts";
import { createAgent } from "../../support/work.ts";
import { useBrowser } from "../browser.ts";
import { draftsOf, openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

/** A form, by its URL, and a field that is typed into. */
interface Form {
  readonly path: string;
  readonly label: string;
  readonly text?: string;
  /** How the person leaves it. */
  readonly leave: (page: Page) => Promise<unknown>;
}

const record = z.object({ id: z.string() });
const escape = (page: Page) => page.keyboard.press("Escape");
const clickBeside = (page: Page) => page.mouse.click(4, 4);
const reload = (page: Page) => page.reload();

let scene: Scene;
let forms: readonly Form[];
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene({ env: { ALLOW_PRIVATE_URLS: "true", SIGN_UP: "open" } });
  forms = await formsOf(scene);
});
afterAll(() => scene.service.stop());

/** One of each form that is opened by its URL; of new records, and of some that exist. */
async function formsOf({ api, service }: Scene): Promise<readonly Form[]> {
  const desk = consoleOf(service, service.keys.api);
  const create = async (path: string, body: object) => record.parse((await desk.post(path, body)).body).id;
  const agent = await createAgent(api, { name: "Clerk" });
  const work = { name: "Each morning", title: "Look", assigned_agent_id: agent.id };
  const schedule = await create("/schedules", { ...work, cron: "0 9 * * *", time_zone: "UTC" });
  const trigger = await create("/triggers", work);
  const voice = await create("/voice-profiles", { name: "Plain" });
  await create("/knowledge/bases", { name: "Handbook" });
  const { id: team } = await createTeam(api, { mode: "pipeline", config: { steps: [{ agent_id: agent.id }] } });
  return [
    { path: "/runs?new=task", label: "Title", leave: escape },
    { path: "/schedules?edit=yes", label: "Description", leave: clickBeside },
    { path: `/schedules/${schedule}?edit=yes`, label: "Name", leave: escape },
    { path: "/triggers?edit=yes", label: "Name", leave: clickBeside },
    { path: `/triggers/${trigger}?edit=yes`, label: "Title of the task", leave: escape },
    { path: "/destinations?edit=new", label: "Name", leave: clickBeside },
    { path: "/destinations?tab=webhooks&edit=new", label: "URL", text: "https://example.org/hook", leave: escape },
    { path: "/protocols?edit=yes", label: "Base URL", text: "https://example.org", leave: clickBeside },
    { path: "/protocols?tab=mcp&edit=yes", label: "URL", text: "https://example.org/mcp", leave: escape },
    { path: "/tools?tool=new", label: "Description", leave: clickBeside },
    { path: "/knowledge?add=base", label: "Description", leave: escape },
    { path: "/knowledge?add=documents", label: "Tags", leave: clickBeside },
    { path: "/usage?budget=new", label: "Limit in tokens", text: "5000", leave: escape },
    { path: "/teams?add=team", label: "Name", leave: clickBeside },
    { path: `/teams/${team}?run=new`, label: "Input", leave: escape },
    { path: "/settings/keys?add=yes", label: "Label", leave: clickBeside },
    { path: "/settings/members?add=yes", label: "E-mail address", text: "cleo@example.org", leave: escape },
    {
      path: "/settings/models?provider=openai",
      label: "Base URL",
      text: "https://gateway.example.org/v1",
      leave: clickBeside,
    },
    { path: "/settings/voices?open=new", label: "Instructions", leave: escape },
    { path: `/settings/voices?open=${voice}`, label: "Instructions", leave: clickBeside },
    { path: "/settings/templates?open=new", label: "Name", leave: escape },
    { path: "/settings/profile", label: "Name", leave: reload },
    { path: "/settings/workspace", label: "Link to logs", text: "https://logs.example.org", leave: reload },
  ];
}

verifies(
  "pages.form-drafts",
  "what is typed into any form is there again after Escape, a click beside it and a reload",
  async () => {
    const page = await browser.open(scene, "/runs");
    for (const form of forms) await expectKept(page, form);
  },
);

async function expectKept(page: Page, { path, label, text = "Half a word", leave }: Form): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  const open = async () => {
    await page.goto(`${scene.service.url}/w/my-workspace${path}`);
    await field.waitFor();
  };
  await open();
  const initial = await field.inputValue();
  await field.fill(text);
  await leave(page);
  await open();
  expect({ path, value: await field.inputValue() }).toEqual({ path, value: text });
  await page.getByRole("status").getByRole("button", { name: "Discard" }).click();
  await expect.poll(() => field.inputValue()).toBe(initial);
  expect(await draftsOf(page)).toEqual([]);
}

verifies(
  ["pages.form-drafts", "pages.secret-drafts"],
  "a draft holds no secret, and ends when it is saved",
  async () => {
    const page = await browser.open(scene, "/triggers?edit=yes");
    await page.getByLabel("Name", { exact: true }).fill("Returned orders");
    await page.getByLabel("Title of the task").fill("Look at the order");
    await page.getByLabel("Secret").fill("correct horse battery");
    await page.reload();
    await page.getByText("Draft restored").waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Returned orders");
    expect(await page.getByLabel("Secret").inputValue()).toBe("");
    expect(await page.evaluate("JSON.stringify(sessionStorage)")).not.toContain("correct horse");
    await page.getByRole("button", { name: "Create trigger" }).click();
    await page.getByText("Draft restored").waitFor({ state: "detached" });
    await expect.poll(() => draftsOf(page)).toEqual([]);
  },
);

verifies("pages.form-drafts", "the networks of a key that is being made are in sight after a reload", async () => {
  const page = await browser.open(scene, "/settings/keys?add=yes");
  await page.getByText("Limits", { exact: true }).click();
  await page.getByLabel("Allowed networks").fill("203.0.113.0/24");
  await page.reload();
  await page.getByText("Draft restored").waitFor();
  expect(await page.getByLabel("Allowed networks").inputValue()).toBe("203.0.113.0/24");
  expect(await page.getByLabel("Allowed networks").isVisible()).toBe(true);
  await page.getByRole("button", { name: "Discard" }).click();
});

verifies(
  ["pages.form-drafts", "pages.secret-drafts"],
  "what is typed for an account is there again after a reload, but not the password",
  async () => {
    const page = await browser.newPage();
    await page.goto(`${scene.service.url}/sign-up`);
    await page.getByLabel("E-mail address").fill("mary@example.org");
    await page.getByLabel("Your name").fill("Mary");
    await page.getByLabel("Password").fill("correct horse battery");
    await page.reload();
    await page.getByText("Draft restored").waitFor();
    expect(await page.getByLabel("E-mail address").inputValue()).toBe("mary@example.org");
    expect(await page.getByLabel("Your name").inputValue()).toBe("Mary");
    expect(await page.getByLabel("Password").inputValue()).toBe("");
    expect(await page.evaluate("JSON.stringify(sessionStorage)")).not.toContain("correct horse");
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.waitForURL("**/w/**");
    expect(await draftsOf(page)).toEqual([]);
  },
);

verifies(
  "pages.form-drafts",
  "a draft of a record that another has changed warns before it replaces that",
  async () => {
    const desk = consoleOf(scene.service, scene.service.keys.api);
    const { id } = record.parse((await desk.post("/voice-profiles", { name: "Warm" })).body);
    const page = await browser.open(scene, `/settings/voices?open=${id}`);
    await page.getByLabel("Instructions").fill("Mine");
    await page.keyboard.press("Escape");
    await desk.patch(`/voice-profiles/${id}`, { custom_instructions: "Theirs" });
    await page.goto(`${scene.service.url}/w/my-workspace/settings/voices?open=${id}`);
    await page.getByText("Changed elsewhere since you opened this form.").first().waitFor();
    await page.getByRole("button", { name: "Save voice" }).click();
    await page.getByText("Changed elsewhere to “Theirs”. Save again to replace it.").waitFor();
    expect(await page.getByLabel("Instructions").inputValue()).toBe("Mine");
  },
);
