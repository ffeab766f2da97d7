import { z } from "zod";
import { consoleOf } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";
import { callOf } from "../support/interactions.ts";
import { createAgent, createTask } from "../support/work.ts";
import { openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";
import type { SweptScene } from "./sweep-screens.ts";

const DAY_MS = 86_400_000;
const waiting = z.looseObject({ interaction: z.looseObject({ interactionId: z.string() }) });
const made = z.object({ link: z.string() });

/** Opens a workspace with an open question, which has a link, and an answered one. */
export async function openQuestionScreens(): Promise<SweptScene> {
  const scene = await openScene();
  const desk = consoleOf(scene.service, scene.service.keys.api);
  const pay = await ask(scene, "Approve invoice 2041?", "Pay the invoices of November");
  await desk.post(`/tasks/${pay.task}/answer`, { interactionId: pay.id, approved: true });
  const refund = await ask(scene, "Refund order 4711?", "Handle the return of order 4711");
  await desk.patch("/workspace", { answer_links: true, run_links: true });
  const { link } = made.parse((await desk.post(`/questions/${refund.id}/link`, {})).body);
  const wanted = { shows_steps: true, shows_cost: true };
  const shared = made.parse((await desk.post(`/runs/${pay.task}/links`, wanted)).body).link;
  const list = `${scene.service.url}/w/my-workspace/questions`;
  return {
    scene,
    mayFail: ["/auth/answer-link", "/auth/run-link"],
    withoutSession: [
      { name: "answer-link", url: link, shows: "Refund order 4711?" },
      { name: "answer-link-used", url: `${scene.service.url}/a#token=none`, shows: "This link can't be used" },
      { name: "shared-run", url: shared, shows: "Model call 1" },
      { name: "shared-run-ended", url: `${scene.service.url}/s#token=none`, shows: "This link can't be used" },
    ],
    screens: [
      { name: "question", url: `${list}?id=${refund.id}`, shows: "Without an answer, the run fails" },
      { name: "questions-answered", url: `${list}?state=answered`, shows: "Approve invoice 2041?" },
      { name: "question-answered", url: `${list}?state=answered&id=${pay.id}`, shows: "The run is now" },
      { name: "questions-expired", url: `${list}?state=expired`, shows: "No expired questions" },
      { name: "answer-closed", url: `${scene.service.url}/r/${pay.task}/answer`, shows: "See the run" },
    ],
    close: () => scene.service.stop(),
  };
}

/** An agent's open question. */
async function ask({ api }: Scene, title: string, work: string) {
  const agent = await createAgent(api, { name: "Support", tools: ["request_approval"] });
  const description = callOf("request_approval", {
    title,
    description: "The customer **returned** the lamp on Monday. The refund is $84.00.",
    timeoutMs: DAY_MS,
  });
  const { id: task } = await createTask(api, { title: work, description, assigned_agent_id: agent.id });
  const id = await eventually("it asks", async () => {
    return waiting.safeParse((await api.get(`/api-tasks?id=${task}`)).body).data?.interaction.interactionId;
  });
  return { task, id };
}
