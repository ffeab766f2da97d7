import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { consoleOf, fieldsOf } from "../../support/api.ts";
import { callOf } from "../../support/interactions.ts";
import { inTurns, toolResults } from "../../support/providers/scripted-agents.ts";
import { askRun, stepOf, stepsOf } from "../../support/run-steps.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";
import { useBrowser } from "../browser.ts";
import { openScriptedScene } from "../scene.ts";
import type { ScriptedScene } from "../scene.ts";
import { LOOKS, sweepScreens } from "../sweep-screens.ts";

const QUESTION = "answer:result:ask";
const PAGES = [
  {
    stepId: "drink",
    type: "choice",
    title: "Which drink?",
    choices: [
      { id: "tea", label: "Tea" },
      { id: "coffee", label: "Coffee" },
    ],
  },
  {
    stepId: "milk",
    type: "approval",
    title: "With milk?",
    condition: { dependsOnStep: "drink", field: "selectedOptionId", operator: "equals", value: "coffee" },
  },
];

/** Each kind of question, its first answer, how another one is given in the form, and what the agent reads then. */
const KINDS: readonly Kind[] = [
  {
    tool: "request_approval",
    input: {},
    first: { approved: false },
    async change(panel) {
      await panel.getByRole("radio", { name: "Reject", checked: true }).waitFor();
      await panel.getByRole("radio", { name: "Approve" }).check();
    },
    other: { approved: true },
  },
  {
    tool: "request_confirmation",
    input: { data: { amount: 10 } },
    first: { approved: true, data: { amount: 11 } },
    async change(panel) {
      await expect.poll(() => panel.getByLabel("amount").inputValue()).toBe("11");
      await panel.getByLabel("amount").fill("12");
    },
    other: { approved: true, data: { amount: 12 } },
  },
  {
    tool: "request_choice",
    input: { choices: PAGES[0]?.choices },
    first: { selectedOptionId: "tea" },
    async change(panel) {
      await panel.getByRole("radio", { name: "Tea", checked: true }).waitFor();
      await panel.getByRole("radio", { name: "Coffee" }).check();
    },
    other: { selectedOptionId: "coffee" },
  },
  {
    tool: "request_input",
    input: {},
    first: { text: "red" },
    async change(panel) {
      await expect.poll(() => panel.getByLabel("Answer").inputValue()).toBe("red");
      await panel.getByLabel("Answer").fill("blue");
    },
    other: { text: "blue" },
  },
  {
    tool: "request_form",
    input: { fields: [{ key: "seats", label: "Seats", type: "number" }] },
    first: { values: { seats: 2 } },
    async change(panel) {
      await expect.poll(() => panel.getByLabel("Seats").inputValue()).toBe("2");
      await panel.getByLabel("Seats").fill("3");
    },
    other: { values: { seats: 3 } },
  },
  {
    tool: "request_wizard",
    input: { steps: PAGES },
    first: { selectedOptionId: "tea", wizardStepId: "drink" },
    async change(panel, send) {
      await panel.getByText("Asked only if Which drink? is coffee").waitFor();
      await panel.getByRole("radio", { name: "Coffee" }).check();
      await send();
      await panel.getByText("is required", { exact: true }).waitFor();
      await panel.getByRole("region", { name: "With milk?" }).getByRole("radio", { name: "Approve" }).check();
    },
    other: { cancelled: false, answers: { drink: { selectedOptionId: "coffee" }, milk: { approved: true } } },
  },
];

interface Kind {
  readonly tool: string;
  readonly input: object;
  readonly first: object;
  readonly change: (panel: ReturnType<Page["getByRole"]>, send: () => Promise<void>) => Promise<void>;
  readonly other: object;
}

let scene: ScriptedScene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScriptedScene();
});
afterAll(() => scene.stop());

function urlOf(id: string, search = ""): string {
  return `${scene.service.url}/w/my-workspace/runs/${id}${search}`;
}

function open(id: string, search = ""): Promise<Page> {
  return browser.open(scene, `/runs/${id}${search}`);
}

/** Answers the question for which a run waits. */
async function answer(id: string, body: object): Promise<void> {
  const { question } = fieldsOf(await askRun(scene.service, id));
  const { interactionId } = Object(question);
  const answered = await consoleOf(scene.service, scene.service.keys.api).post(`/runs/${id}/answer`, {
    interactionId,
    ...body,
  });
  expect(answered.status, answered.text).toBeLessThan(300);
}

/** The id of the run that a page shows, once it shows another one. */
async function nextRun(page: Page, before: string): Promise<string> {
  await page.waitForURL((url) => url.pathname.includes("/runs/") && !url.pathname.includes(before));
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

verifies(
  "pages.run-fork-answer",
  "every kind of question takes another answer: the form has the old one, the fork uses the new one",
  async () => {
    const page = await browser.newPage({ mayFail: ["/fork"] });
    await scene.signIn(page);
    for (const { tool, input, first, change, other } of KINDS) {
      const player = await scene.player(
        inTurns(
          (reply) => reply.callTool(tool, { title: "What now?", ...input }, "ask"),
          (reply, call) => reply.say(`Heard ${toolResults(call).at(-1)}`),
        ),
        { tools: [tool] },
      );
      const { id } = await createTask(scene.api, { title: tool, assigned_agent_id: player.id });
      await taskIn(scene.api, id, "waiting_for_input");
      await answer(id, first);
      await taskIn(scene.api, id, "completed");

      await page.goto(urlOf(id, `?step=${QUESTION}`));
      await page.getByRole("button", { name: "Fork with another answer" }).click();
      const panel = page.getByRole("dialog", { name: "Fork with another answer" });
      await panel.getByRole("heading", { name: "What now?" }).waitFor();
      await panel.getByText("2 steps before the question are reused at $0. 1 step after it runs again;").waitFor();
      const send = () => panel.getByRole("button", { name: "Fork run" }).click();
      await change(panel, send);
      await send();
      const fork = await nextRun(page, id);
      await taskIn(scene.api, fork, "completed");
      expect((await stepOf(scene.service, fork, QUESTION)).answer, tool).toEqual(other);
      expect(player.calls(), tool).toHaveLength(3);
      expect(toolResults(player.calls()[2]).at(-1)).toBe(JSON.stringify(other));
      expect((await stepsOf(scene.service, fork)).filter(({ cost_usd: cost }) => cost !== undefined)).toHaveLength(1);
      await page.goto(urlOf(fork, `?step=${QUESTION}`));
      await page.getByText("Changed for this fork by").waitFor();
    }
  },
  240_000,
);

verifies("pages.run-fork-answer", "a team run continues from its question with another answer", async () => {
  const player = await scene.player(
    inTurns(
      (reply) => reply.callTool("request_input", { title: "Which colour?" }, "ask"),
      (reply, call) => reply.say(`Painted ${toolResults(call).at(-1)}`),
    ),
    { tools: ["request_input"] },
  );
  const drafter = await scene.player(inTurns((reply) => reply.say("A draft.")));
  const steps = [{ agent_id: drafter.id, step_name: "Draft" }, { agent_id: player.id }];
  const team = await createTeam(scene.api, { mode: "pipeline", config: { steps } });
  const { id } = await startRun(scene.api, team.id);
  await runIn(scene.api, id, "waiting_for_input");
  await answer(id, { text: "red" });
  await runIn(scene.api, id, "completed");
  const page = await open(id);
  await page.getByRole("row", { name: /Which colour/ }).click();
  await page.keyboard.press("f");
  const panel = page.getByRole("dialog", { name: "Fork with another answer" });
  await panel.locator("textarea:focus").waitFor();
  await panel.getByLabel("Answer").fill("green");
  await panel.getByRole("button", { name: "Fork run" }).click();
  const fork = await nextRun(page, id);
  expect(await runIn(scene.api, fork, "completed")).toMatchObject({ output: 'Painted {"text":"green"}' });
  expect(player.calls()).toHaveLength(3);
  await page.getByRole("row", { name: /Draft/ }).click();
  await page.getByRole("complementary", { name: "Inspector" }).getByText("A draft.").waitFor();
  await page.getByRole("link", { name: "Compare with the original" }).click();
  await page.getByRole("region", { name: "Step 2" }).waitFor();
  expect(await page.getByText(/only in [AB]/).count()).toBe(0);
  await page
    .getByRole("row", { name: /^Agents/ })
    .getByText("same")
    .waitFor();
});

verifies(
  "pages.run-fork-output",
  "a task or an orchestrator's run is forked with a text in place of a model call",
  async () => {
    const player = await scene.player(inTurns((reply) => reply.say("A draft.")));
    const task = await createTask(scene.api, { title: "Write", assigned_agent_id: player.id });
    await taskIn(scene.api, task.id, "completed");
    const config = { brain_agent_id: player.id, worker_agent_ids: [(await scene.player(inTurns())).id] };
    const team = await createTeam(scene.api, { mode: "orchestrator", config });
    const run = await startRun(scene.api, team.id);
    await runIn(scene.api, run.id, "completed");
    const page = await open(task.id, "?step=model:0");
    await forkWithText(page, "Written by hand.");
    const fork = await nextRun(page, task.id);
    expect(await taskIn(scene.api, fork, "completed")).toMatchObject({ result: "Written by hand." });
    await page.goto(urlOf(fork, "?step=model:0"));
    await page.getByText("no model was called").waitFor();
    await page.goto(urlOf(run.id, "?step=brain/model:0"));
    await forkWithText(page, "Decided by hand.");
    const decided = await nextRun(page, run.id);
    expect(await runIn(scene.api, decided, "completed")).toMatchObject({ output: "Decided by hand." });
    await page.getByText("Decided by hand.").first().waitFor();
    expect(player.calls()).toHaveLength(2);
  },
);

async function forkWithText(page: Page, text: string): Promise<void> {
  await page.getByRole("button", { name: "Fork from here" }).click();
  const panel = page.getByRole("dialog", { name: "Fork from model call 1" });
  await panel.getByLabel("Replacement output").fill(text);
  await panel.getByRole("button", { name: "Fork run" }).click();
}

verifies("pages.accessible", "the form of another answer is accessible and fits in each view and theme", async () => {
  const agent = await createAgent(scene.api, { tools: ["request_wizard"], model: "demo", provider: "demo" });
  const description = callOf("request_wizard", { title: "What to drink", steps: PAGES });
  const { id } = await createTask(scene.api, { title: "Drink", description, assigned_agent_id: agent.id });
  await taskIn(scene.api, id, "waiting_for_input");
  await answer(id, { selectedOptionId: "tea", wizardStepId: "drink" });
  await taskIn(scene.api, id, "completed");
  const key = (await stepsOf(scene.service, id)).find(({ kind }) => kind === "question")?.key ?? "";
  const page = await browser.newSeparatePage();
  await scene.signIn(page);
  const search = `?step=${encodeURIComponent(key)}`;
  const screens = [
    { name: "answered-question", url: urlOf(id, search), shows: "Fork with another answer" },
    { name: "answer-fork", url: urlOf(id, `${search}&fork=${encodeURIComponent(key)}`), shows: "With milk?" },
  ];
  expect(await sweepScreens(page, LOOKS, screens)).toEqual({});
});
