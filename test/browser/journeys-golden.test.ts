import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf, fieldsOf } from "../support/api.ts";
import { verifies } from "../support/verifies.ts";
import { QUICK, createAgent, createTask, taskIn } from "../support/work.ts";
import { sql } from "../support/workspace.ts";
import { openRun, useBrowser } from "./browser.ts";
import { draftsOf, openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";

const goldenCase = z.looseObject({ id: z.string() });

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

verifies(
  "golden.console",
  "a run is kept; the agent's tab tries a version, shows results, publishes it, and sets the gate",
  async () => {
    const { id: agentId } = await createAgent(scene.api, { name: "Usher" });
    const { id } = await createTask(scene.api, { title: "Greet", assigned_agent_id: agentId, description: QUICK });
    await taskIn(scene.api, id, "completed");
    await scene.api.patch(`/api-agents?id=${agentId}`, { temperature: 0.2 });
    const page = await openRun(browser, scene, id);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Keep as golden" }).click();
    await page.getByText("Kept “Greet” as a golden case of its agent.").first().waitFor();

    await page.goto(`${scene.service.url}/w/my-workspace/agents/${agentId}?tab=golden`);
    await page.getByLabel("Version to try").selectOption("1");
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByText("Version 1 on demo: 1 of 1 cases passed").waitFor();
    await page.getByRole("table", { name: "Results" }).getByText("Passed").waitFor();
    await page.getByLabel("A change of the agent must pass").selectOption("all");
    await page.getByText("has passed 0 of 1").waitFor();
    await page.getByRole("button", { name: "Publish version 1" }).click();
    await page.getByText("Published version 1, as version 3.").first().waitFor();
    const stored = await sql(scene.service.databaseUrl, "select required from golden_gates where agent_id = $1", [
      agentId,
    ]);
    expect(stored).toEqual([{ required: "all" }]);
  },
);

verifies(
  "golden.console.gate",
  "what a gate refuses is tried from the form and published; admins publish anyway, with a reason",
  async () => {
    const { id: agentId } = await createAgent(scene.api, { name: "Porter" });
    const { id } = await createTask(scene.api, { title: "Carry", assigned_agent_id: agentId, description: QUICK });
    await taskIn(scene.api, id, "completed");
    const desk = consoleOf(scene.service, scene.service.keys.api);
    const kept = goldenCase.parse((await desk.post(`/runs/${id}/golden`, {})).body);
    await desk.call("PUT", `/agents/${agentId}/golden/gate`, { body: { required: "all" } });

    const page = await browser.open(scene, `/agents/${agentId}`, { mayFail: ["/api-agents", "/golden/runs"] });
    await page.getByLabel("Temperature").fill("0.3");
    await page.getByRole("button", { name: "Save version" }).click();
    await page.getByRole("alert").getByText("has passed 0 of 1").waitFor();
    await page.getByRole("button", { name: "Try on golden cases" }).click();
    await page.getByText("Changes on demo: 1 of 1 cases passed").waitFor();
    await page.getByRole("button", { name: "Publish changes" }).click();
    await page.getByText("Published the changes, as version 2.").first().waitFor();
    expect(await draftsOf(page)).toEqual([]);

    await page.getByRole("link", { name: "Versions" }).click();
    await page.getByRole("link", { name: /Version 1\b/ }).click();
    await page.getByRole("button", { name: "Restore version 1" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Try on golden cases" }).click();
    await page.getByText("Version 1 on demo: 1 of 1 cases passed").waitFor();
    await page.getByRole("button", { name: "Publish version 1" }).click();
    await page.getByText("Published version 1, as version 3.").first().waitFor();

    await desk.patch(`/golden/cases/${kept.id}`, { expected: "Something else" });
    await page.getByRole("link", { name: "Prompt" }).click();
    await page.getByLabel("Temperature").fill("3");
    await page.getByRole("button", { name: "Try on golden cases" }).click();
    await page.locator("[aria-invalid=true]").waitFor();
    await page.getByLabel("Temperature").fill("0.4");
    await page.getByRole("button", { name: "Try on golden cases" }).click();
    await page.getByText("The gate requires all of the golden cases; 0 of 1 passed.").waitFor();
    await page.getByRole("button", { name: "Publish anyway" }).click();
    await page.getByLabel("Reason").fill("The case is outdated.");
    await page.getByRole("dialog").getByRole("button", { name: "Publish anyway" }).click();
    await page.getByText("Published the changes, as version 4.").first().waitFor();
    const audit = await desk.get("/audit?action=agent.gate_overridden");
    expect(fieldsOf(audit)["items"]).toMatchObject([{ changes: { reason: [null, "The case is outdated."] } }]);
  },
);

verifies(
  "golden.console.case",
  "a case and its checks are edited; the dialog keeps a draft and shows issues at the fields",
  async () => {
    const { id: agentId } = await createAgent(scene.api, { name: "Waiter" });
    const { id } = await createTask(scene.api, { title: "Serve", assigned_agent_id: agentId, description: QUICK });
    await taskIn(scene.api, id, "completed");
    const desk = consoleOf(scene.service, scene.service.keys.api);
    const kept = goldenCase.parse((await desk.post(`/runs/${id}/golden`, {})).body);
    const page = await browser.open(scene, `/agents/${agentId}?tab=golden`, { mayFail: ["/golden/cases/"] });
    const dialog = page.getByRole("dialog", { name: "Serve" });
    const edit = async () => {
      await page.getByRole("button", { name: "Actions for Serve" }).click();
      await page.getByRole("menuitem", { name: "Edit" }).click();
    };
    await edit();
    await dialog.getByLabel("Expected result").fill("It took 12 minutes.");
    await dialog.getByLabel("Check 1", { exact: true }).selectOption("numbers");
    await dialog.getByLabel("Distance at most").fill("some");
    for (const [index, type] of ["tools", "json_schema", "time", "judge"].entries()) {
      await dialog.getByRole("button", { name: "Add check" }).click();
      await dialog.getByLabel(`Check ${index + 2}`, { exact: true }).selectOption(type);
    }
    await dialog.getByLabel("Which").selectOption("given");
    await dialog.getByLabel("Tools", { exact: true }).fill("current_time, wait");
    await dialog.getByLabel("JSON Schema").fill('{"type": "string"}');
    await dialog.getByLabel("Milliseconds at most").fill("2500");
    await dialog.getByLabel("Rubric").fill("It is polite.");
    await page.keyboard.press("Escape");
    await edit();
    await dialog.getByText("Draft restored").waitFor();
    await dialog.getByRole("button", { name: "Save case" }).click();
    await dialog.locator("[aria-invalid=true]").waitFor();
    await dialog.getByLabel("Distance at most").fill("1,5");
    await dialog.getByRole("button", { name: "Remove check 3" }).click();
    await dialog.getByRole("button", { name: "Save case" }).click();
    await page.getByText("Numbers within a distance, Tools called, Time, Judged by an agent").waitFor();
    expect((await desk.get(`/golden/cases/${kept.id}`)).body).toMatchObject({
      name: "Serve",
      expected: "It took 12 minutes.",
      checks: [
        { type: "numbers", within: 1.5, unit: "absolute" },
        { type: "tools", called: ["current_time", "wait"] },
        { type: "time", max_ms: 2500 },
        { type: "judge", rubric: "It is polite.", votes: 1 },
      ],
    });

    await edit();
    await dialog.getByLabel("Votes").fill("3");
    await dialog.getByRole("button", { name: "Save case" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await desk.get(`/golden/cases/${kept.id}`)).body).toMatchObject({
      checks: [{ within: 1.5 }, { called: ["current_time", "wait"] }, { max_ms: 2500 }, { votes: 3 }],
    });
  },
);
