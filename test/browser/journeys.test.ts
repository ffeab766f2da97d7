import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { eventually } from "../support/eventually.ts";
import { startService } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { sql } from "../support/workspace.ts";
import { PHONE, useBrowser } from "./browser.ts";
import { KINDS } from "./question-kinds.ts";
import { draftsOf, openScene, signInOn } from "./scene.ts";
import type { Scene } from "./scene.ts";

const record = z.looseObject({ id: z.string() });
const task = z.looseObject({ status: z.string(), result: z.string().nullable() });
const DAY_MS = 86_400_000;

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

verifies(
  "pages.first-words",
  "from the set-up link a new user reaches the first text of an agent, without a key",
  async () => {
    const service = await startService({ env: { MUSTER_INIT_API_KEY: "" } });
    const page = await browser.newSeparatePage();
    try {
      const [link = ""] = /http\S+setup\S+/.exec(service.output().stdout) ?? [];
      await page.goto(link);
      await expect.poll(() => new URL(page.url()).pathname).toBe("/setup");
      await page.getByLabel("E-mail address").fill("new@example.org");
      await page.getByLabel("Password").fill("a good password");
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByRole("button", { name: "Create and run" }).click();
      await page.waitForURL("**/runs/*");
      await page.getByText("Demo model (no AI)").waitFor();
      await page.getByText("Completed", { exact: true }).waitFor();
      await expect.poll(() => sql(service.databaseUrl, "select status from tasks")).toEqual([{ status: "completed" }]);
      await page.getByRole("button", { name: "Show the request" }).click();
      const drawer = page.getByRole("dialog", { name: "This screen by the API" });
      await drawer.getByText('{"title":"Say hello, look up the time in Tokyo').waitFor();
      // It is offered once.
      expect(new URL(page.url()).searchParams.has("offer")).toBe(false);
    } finally {
      await page.close();
      await service.stop();
    }
  },
);

verifies(
  "pages.sign-in",
  "a wrong password shows an error, the input stays, and the requested page opens afterwards",
  async () => {
    const page = await browser.newPage({ mayFail: ["/auth/sign-in"] });
    await page.goto(`${scene.service.url}/w/my-workspace/questions`);
    await page.getByLabel("E-mail address").fill("ada@example.org");
    await page.getByLabel("Password").fill("wrong password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    await expect.poll(() => page.getByLabel("E-mail address").inputValue()).toBe("ada@example.org");
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Questions", level: 1 }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/w/my-workspace/questions");
  },
);

verifies("pages.session-ends", "typed input survives the end of the session", async () => {
  const page = await browser.open(scene, "/runs?new=task", { mayFail: ["/"] });
  await page.getByLabel("Title", { exact: true }).fill("What I have typed");
  await sql(scene.service.databaseUrl, "delete from sessions");
  // Also when the page's stream has reported it first, and the dialog already covers the button.
  await page.locator("button", { hasText: "Give task" }).dispatchEvent("click");
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await dialog.getByLabel("Password").fill("correct horse battery");
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => page.getByLabel("Title", { exact: true }).inputValue()).toBe("What I have typed");
  await page.getByRole("button", { name: "Give task" }).click();
  await page.getByRole("heading", { name: "What I have typed" }).waitFor();
});

verifies(["pages.new-task", "pages.drafts"], "a task with a file is created with the keyboard alone", async () => {
  const agent = await createAgent("Reader", []);
  const page = await browser.open(scene, "/runs");
  await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
  await page.keyboard.press("c");
  await page.getByRole("dialog", { name: "New task" }).waitFor();
  await page.getByLabel("Agent or team").selectOption({ label: "Reader" });
  const file = join(scene.service.folder, "notes.txt");
  await writeFile(file, "Some notes.");
  await page.getByLabel("Files", { exact: true }).setInputFiles(file);
  await page.getByText("notes.txt").waitFor();
  await page.getByLabel("Title", { exact: true }).focus();
  await page.keyboard.type("Read the notes");
  const give = page.getByRole("button", { name: "Give task", disabled: false });
  await give.waitFor();
  await page.reload();
  await page.getByText("notes.txt").waitFor();
  await give.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Read the notes", level: 1 }).waitFor();
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const stored = z.object({ assigned_agent_id: z.string(), attachments: z.array(z.object({ name: z.string() })) });
  const read = stored.parse((await scene.api.get(`/api-tasks?id=${id}`)).body);
  expect(read).toEqual({ assigned_agent_id: agent, attachments: [{ name: "notes.txt" }] });

  await page.keyboard.press("c");
  const title = page.getByLabel("Title", { exact: true });
  expect(await title.inputValue()).toBe("");
  await title.fill("Never mind");
  await page.keyboard.press("Escape");
  await page.keyboard.press("c");
  await page.getByText("Draft restored").waitFor();
  expect(await title.inputValue()).toBe("Never mind");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect.poll(() => title.inputValue()).toBe("");
  expect(await draftsOf(page)).toEqual([]);
});

verifies(
  ["pages.answers", "pages.drafts"],
  "each kind of question is answered with what was typed before a reload, and the run continues with it",
  async () => {
    const agent = await createAgent(
      "Asker",
      KINDS.map(({ tool }) => tool),
    );
    const page = await browser.newPage();
    await scene.signIn(page);
    for (const { tool, args, answer, says } of KINDS) {
      const id = await ask(agent, tool, args);
      await page.goto(`${scene.service.url}/w/my-workspace/questions?id=${await questionOf(id)}`);
      await page.getByRole("button", { name: /Approve|Confirm|Send answer/ }).waitFor();
      await answer(page);
      const result = await eventually(`${tool} is answered`, () => resultOf(id));
      expect(result.replaceAll(/\\|\s/g, ""), tool).toContain(says.replaceAll(/\s/g, ""));
    }
    await expect.poll(() => draftsOf(page)).toEqual([]);
  },
);

verifies(
  "pages.answer-phone",
  "a link on a phone answers a question with one tap; the next person sees that it is closed",
  async () => {
    const agent = await createAgent("Phone asker", ["request_approval"]);
    const id = await ask(agent, "request_approval", {});
    const [page, other] = [await browser.newPage({ viewport: PHONE }), await browser.newPage({ viewport: PHONE })];
    for (const each of [page, other]) {
      await signInOn(each, scene.service.url);
      await each.goto(`${scene.service.url}/r/${id}/answer`);
      await each.getByRole("button", { name: "Approve" }).waitFor();
    }
    await page.getByRole("button", { name: "This screen by the API" }).tap();
    const drawer = page.getByRole("dialog", { name: "This screen by the API" });
    await drawer.getByText(`/console/api/tasks/${id}/answer`).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Approve" }).tap();
    await page.getByText("Answered by you").waitFor();
    await other.getByText(/Answered by you, \d\d:\d\d/).waitFor();
    await page.getByRole("link", { name: "See the run" }).tap();
    await page.waitForURL(`**/w/my-workspace/runs/${id}`);
  },
);

verifies("pages.filters", "filters, back and a shared URL show the same list", async () => {
  const agent = await createAgent("Filtered", []);
  await scene.api.post("/api-tasks", {
    title: "Fails on purpose",
    description: "[[fail:no]]",
    assigned_agent_id: agent,
  });
  const page = await browser.open(scene, "/runs");
  const rows = page.getByRole("link", { name: "Fails on purpose" });
  await rows.waitFor();
  await page.getByRole("button", { name: "Status" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Completed" }).click();
  await rows.waitFor({ state: "detached" });
  await expect.poll(() => new URL(page.url()).search).toBe("?status=completed");
  await page.keyboard.press("Escape");
  await page.goBack();
  await rows.waitFor();
  await page.goto(`${scene.service.url}/w/my-workspace/runs?status=failed&unknown=x`);
  await rows.waitFor();
});

async function createAgent(name: string, tools: readonly string[]): Promise<string> {
  return record.parse((await scene.api.post("/api-agents", { name, model: "demo", tools })).body).id;
}

/** A task that waits for an answer to this question. */
async function ask(agent: string, tool: string, args: object): Promise<string> {
  const question = JSON.stringify({ title: `Question of ${tool}`, timeoutMs: DAY_MS, ...args });
  const body = { title: `Work for ${tool}`, description: `[[tool:${tool} ${question}]]`, assigned_agent_id: agent };
  const { id } = record.parse((await scene.api.post("/api-tasks", body)).body);
  await eventually("it waits for the answer", async () => (await taskOf(id)).status === "waiting_for_input");
  return id;
}

/** The question for which a task waits. */
async function questionOf(id: string): Promise<string> {
  const waiting = z.looseObject({ interaction: z.looseObject({ interactionId: z.string() }) });
  return waiting.parse((await scene.api.get(`/api-tasks?id=${id}`)).body).interaction.interactionId;
}

async function taskOf(id: string) {
  return task.parse((await scene.api.get(`/api-tasks?id=${id}`)).body);
}

async function resultOf(id: string): Promise<string | undefined> {
  const { status, result } = await taskOf(id);
  return status === "completed" ? (result ?? "") : undefined;
}
