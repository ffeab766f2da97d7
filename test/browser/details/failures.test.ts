import { afterAll, beforeAll, expect } from "vitest";
import { inTurns } from "../../support/providers/scripted-agents.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, taskIn } from "../../support/work.ts";
import { openRun, useBrowser } from "../browser.ts";
import { openScriptedScene } from "../scene.ts";
import type { ScriptedScene } from "../scene.ts";

let scene: ScriptedScene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScriptedScene({ MODEL_ATTEMPTS: "1" });
});
afterAll(() => scene.stop());

verifies(
  ["console.run.failure-once", "console.run.first-button"],
  "a rejected key is said once, and the first button leads to its replacement",
  async () => {
    const player = await scene.player((_, reply) => reply.refuse(401, "Incorrect API key provided."));
    const { id } = await createTask(scene.api, { title: "Locked out", assigned_agent_id: player.id });
    await taskIn(scene.api, id, "failed");
    const page = await openRun(browser, scene, id);
    await page.getByText("Task Title: Locked out").waitFor();
    for (const words of ["Incorrect API key provided.", "MODEL_ERROR"]) {
      expect(await page.getByText(words).count()).toBe(1);
    }
    for (const name of ["Retry from step", "Fork from here"]) {
      expect(await page.getByRole("button", { name }).count()).toBe(1);
    }
    await page.getByRole("link", { name: "Replace the key" }).click();
    await page.getByRole("dialog", { name: "OpenAI key" }).waitFor();
  },
);

verifies(
  ["console.run.first-button"],
  "where a retry alone may help, it comes first; where the prompt is at fault, a fork does",
  async () => {
    const busy = await scene.player((_, reply) => reply.refuse(400, "No such deployment."));
    const looping = await scene.player(
      (_, reply) => {
        reply.callTool("current_time", {});
        reply.finish();
      },
      { tools: ["current_time"] },
    );
    const first = async (agent: { readonly id: string }) => {
      const { id } = await createTask(scene.api, { title: "Try", assigned_agent_id: agent.id });
      await taskIn(scene.api, id, "failed");
      const page = await openRun(browser, scene, id);
      await page.getByRole("region", { name: /^Failed/ }).waitFor();
      const header = page.getByRole("main").locator("header").first();
      return header.locator("a[class*=bg-accent], button[class*=bg-accent]").innerText();
    };
    expect(await first(busy)).toBe("Retry from step");
    expect(await first(looping)).toBe("Fork from here");
  },
);

verifies(
  "console.run.fan-out-causes",
  "a fan-out of 20 that failed is one row, and its causes are counted",
  async () => {
    const agents = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        scene.player((_call, reply) => reply.refuse(400, n < 5 ? "Too long." : "No such deployment."), {
          name: `Branch ${n}`,
        }),
      ),
    );
    const parallel_agents = agents.map(({ id }) => id);
    const config = { steps: [{ type: "fan_out", step_name: "Opinions", parallel_agents }] };
    const team = await createTeam(scene.api, { config });
    const { id } = await startRun(scene.api, team.id);
    await runIn(scene.api, id, "failed");
    const page = await openRun(browser, scene, id);
    const causes = page.getByRole("region", { name: "Failed at Opinions" }).getByRole("list", { name: "Causes" });
    await causes.getByText("No such deployment.").waitFor();
    const texts = await causes.getByRole("listitem").allInnerTexts();
    expect(texts.length).toBeLessThanOrEqual(2);
    const counted = texts.map((text) => Number(/\((\d+) branch/.exec(text)?.[1]));
    expect(counted).toEqual(counted.toSorted((a, b) => b - a));
    // The heads of the columns, and the fan-out.
    await expect.poll(() => page.getByRole("treegrid").getByRole("row").count()).toBe(2);
  },
);

verifies(
  "console.run.question-beside",
  "the open question is beside the steps, and above them while another step is open",
  async () => {
    const player = await scene.player(
      inTurns((reply) => reply.callTool("request_approval", { title: "Pay it?", description: "It is due." }, "call_1")),
      { tools: ["request_approval"] },
    );
    const { id } = await createTask(scene.api, { title: "Ask", assigned_agent_id: player.id });
    await taskIn(scene.api, id, "waiting_for_input");
    const page = await openRun(browser, scene, id);
    const beside = page.getByRole("complementary", { name: "Inspector" }).getByRole("region", { name: "Pay it?" });
    await beside.waitFor();
    expect(await page.getByRole("region", { name: "Pay it?" }).count()).toBe(1);
    await page.getByRole("row", { name: /^Model call 1/ }).click();
    await page.getByRole("region", { name: "Steps" }).getByRole("region", { name: "Pay it?" }).waitFor();
    expect(await beside.count()).toBe(0);
    await page.getByRole("button", { name: "Approve" }).click();
    await taskIn(scene.api, id, "completed");
  },
);
