import { beforeAll, expect } from "vitest";
import { saying, toolResults } from "../../support/providers/scripted-agents.ts";
import { finish, openOrchestraScene } from "../../support/teams/orchestra.ts";
import type { OrchestraScene } from "../../support/teams/orchestra.ts";
import { verifies } from "../../support/verifies.ts";

const output_schema = { type: "object", properties: { rain: { type: "boolean" } }, required: ["rain"] };

let scene: OrchestraScene;

beforeAll(async () => {
  scene = await openOrchestraScene();
});

verifies("agents.output-schema.brain", "final_answer rejects a result that violates the brain's schema", async () => {
  const worker = await scene.player(saying("It rains."));
  const moves = [finish("It rains."), finish('{"rain": "yes"}'), finish('```json\n{"rain": true}\n```')];
  const { brain, run } = await scene.playToEnd({ moves, workers: [worker], brainFields: { output_schema } });
  expect(run).toMatchObject({ output: '{"rain": true}', error: null });
  expect(toolResults(brain.calls()[2])).toEqual([
    expect.stringContaining("the result is not JSON"),
    expect.stringContaining("rain must be boolean"),
  ]);
});
