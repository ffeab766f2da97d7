import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { callOf } from "../../support/interactions.ts";
import { createTeam, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent } from "../../support/work.ts";
import { DESKTOP, PHONE, useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";
import { prepareScan, violationsOn } from "../sweep-screens.ts";

const asking = z.looseObject({ question: z.looseObject({ interactionId: z.string() }).nullable() });

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

/** Starts a pipeline whose second step asks a person, and waits for the question. */
async function startAsking() {
  const tools = ["request_approval"];
  const writer = (await createAgent(scene.api, { name: "Writer", tools })).id;
  const editor = (await createAgent(scene.api, { name: "Editor", tools })).id;
  const steps = [
    { agent_id: writer, step_name: "Draft", instructions: QUICK },
    { agent_id: editor, step_name: "Approve", instructions: callOf("request_approval", { title: "Publish it?" }) },
    { type: "fan_out", step_name: "Publish", parallel_agents: [writer, editor], instructions: QUICK },
  ];
  const { id: teamId } = await createTeam(scene.api, { name: "Newsroom", config: { steps } });
  const { id } = await startRun(scene.api, teamId, "Write it");
  const api = consoleOf(scene.service, scene.service.keys.api);
  const question = await eventually("the run asks", async () => {
    return asking.parse((await api.get(`/runs/${id}`)).body).question;
  });
  const { interactionId } = question;
  return { id, answer: () => api.post(`/runs/${id}/answer`, { interactionId, approved: true }) };
}

for (const [device, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
  verifies(
    "gallery.run-graph",
    `the graph of a run shows and follows the work of each box, on a ${device}`,
    async () => {
      const { id, answer } = await startAsking();
      const page = await browser.newSeparatePage({ viewport });
      await prepareScan(page);
      await scene.signIn(page);
      await page.goto(`${scene.service.url}/w/my-workspace/runs/${id}?view=graph&tab=details`);
      const graph = page.getByRole("figure", { name: "How the work goes" });
      const boxes = graph.getByRole("button");
      const marked = (state: string) => graph.getByRole("img", { name: state }).count();
      const states = async () => Promise.all(["Completed", "Needs an answer", "Not started"].map(marked));
      await expect.poll(states).toEqual([1, 1, 2]);
      await boxes.filter({ hasText: "Draft" }).getByText("$0").waitFor();
      expect(await violationsOn(page)).toEqual([]);
      await answer();
      await expect.poll(states).toEqual([5, 0, 0]);
      await boxes.filter({ hasText: "Approve" }).click();
      await page.getByText("Approve").nth(1).waitFor();
      expect(new URL(page.url()).searchParams.get("step")).toBe("step:1:attempt:0");
    },
  );
}
