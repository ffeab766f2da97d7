import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";
import { callOf } from "../support/interactions.ts";
import { verifies } from "../support/verifies.ts";
import { createAgent, createTask } from "../support/work.ts";
import { useBrowser } from "./browser.ts";
import { joinAs, openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";
import { SWEEP_TIMEOUT_MS, VIEWS, sweepScreens } from "./sweep-screens.ts";
import type { SweptScreen } from "./sweep-screens.ts";
import { findWritable } from "./viewer-sweep.ts";

const DAY_MS = 86_400_000;
const waiting = z.looseObject({ interaction: z.looseObject({ interactionId: z.string() }) });
const made = z.object({ link: z.string() });

let scene: Scene;
let withoutSession: readonly SweptScreen[];
let screens: readonly SweptScreen[];
const browser = useBrowser();

beforeAll(async () => {
  scene = await openScene();
  const desk = consoleOf(scene.service, scene.service.keys.api);
  const pay = await ask("Approve invoice 2041?", "Pay the invoices of November");
  await desk.post(`/tasks/${pay.task}/answer`, { interactionId: pay.id, approved: true });
  const refund = await ask("Refund order 4711?", "Handle the return of order 4711");
  await desk.patch("/workspace", { answer_links: true });
  const { link } = made.parse((await desk.post(`/questions/${refund.id}/link`, {})).body);
  const list = `${scene.service.url}/w/my-workspace/questions`;
  withoutSession = [
    { name: "answer-link", url: link, shows: "Refund order 4711?" },
    { name: "answer-link-used", url: `${scene.service.url}/a#token=none`, shows: "This link can't be used" },
  ];
  screens = [
    { name: "question", url: `${list}?id=${refund.id}`, shows: "Without an answer, the run fails" },
    { name: "questions-answered", url: `${list}?state=answered`, shows: "Approve invoice 2041?" },
    { name: "question-answered", url: `${list}?state=answered&id=${pay.id}`, shows: "The run is now" },
    { name: "questions-expired", url: `${list}?state=expired`, shows: "No expired questions" },
    { name: "answer-closed", url: `${scene.service.url}/r/${pay.task}/answer`, shows: "See the run" },
  ];
});
afterAll(() => scene.service.stop());

verifies(
  "pages.accessible",
  "questions are accessible, fit, and break no policy in each view and theme",
  async () => {
    const page = await browser.newPage({ mayFail: ["/auth/answer-link"] });
    const before = await sweepScreens(page, VIEWS, withoutSession);
    await scene.signIn(page);
    expect({ ...before, ...(await sweepScreens(page, VIEWS, screens)) }).toEqual({});
  },
  SWEEP_TIMEOUT_MS,
);

verifies(
  "console.viewer",
  "no screen of questions offers a viewer a control that would be rejected",
  async () => {
    const page = await browser.newPage();
    await joinAs(scene, page, "viewer");
    expect(await findWritable(page, screens)).toEqual({});
  },
  SWEEP_TIMEOUT_MS,
);

/** An agent's open question. */
async function ask(title: string, work: string) {
  const agent = await createAgent(scene.api, { name: "Support", tools: ["request_approval"] });
  const description = callOf("request_approval", {
    title,
    description: "The customer **returned** the lamp on Monday. The refund is $84.00.",
    timeoutMs: DAY_MS,
  });
  const { id: task } = await createTask(scene.api, { title: work, description, assigned_agent_id: agent.id });
  const id = await eventually("it asks", async () => {
    return waiting.safeParse((await scene.api.get(`/api-tasks?id=${task}`)).body).data?.interaction.interactionId;
  });
  return { task, id };
}
