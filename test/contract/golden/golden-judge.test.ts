import { beforeAll, expect } from "vitest";
import { goldenOf } from "../../support/golden.ts";
import type { Golden } from "../../support/golden.ts";
import { inTurns, saying, useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import type { Script } from "../../support/scripted-provider.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

let scene: ScriptedWorkspace;
let golden: Golden;
beforeAll(async () => {
  scene = await useScriptedService();
  golden = goldenOf(scene.service, scene.api);
});

/** An agent of the demo model whose case a judge decides; the outcome of its check in a golden run. */
async function judgedBy(script: Script, { votes = 1, fields = {} }: { votes?: number; fields?: object } = {}) {
  const judge = await scene.player(script, { name: "Judge", ...fields });
  const { id } = await createAgent(scene.api);
  const run = await golden.ended(id, { title: "Greet Ada", description: "[[slow:0]][[say:Hello, Ada]]" });
  await golden.keep(run, { checks: [{ type: "judge", agent_id: judge.id, rubric: "It is polite.", votes }] });
  const ended = await golden.ends((await golden.start(id)).id);
  return { judge, ended, check: ended.results[0]?.checks[0] };
}

const pass = (reason: string) => JSON.stringify({ passed: true, reason });
const reject = (reason: string) => JSON.stringify({ passed: false, reason });

verifies("golden.judge", "a judge gets rubric, task and result, and its vote is recorded", async () => {
  const { judge, ended, check } = await judgedBy(saying(pass("It greets.")), { fields: { tools: ["current_time"] } });
  expect(ended.status).toBe("passed");
  expect(check).toEqual({ type: "judge", passed: true, reason: "", votes: [{ passed: true, reason: "It greets." }] });
  const [call] = judge.calls();
  const asked = JSON.stringify(call?.body.messages);
  for (const part of ["It is polite.", "Greet Ada", "Hello, Ada"]) expect(asked).toContain(part);
  expect(call?.body).not.toHaveProperty("tools");
  const usage = await sql(
    scene.service.databaseUrl,
    "select count(*)::int as calls from usage_records where task_id = $1 and agent_id = $2",
    [ended.results[0]?.run_id, judge.id],
  );
  expect(usage).toEqual([{ calls: 1 }]);
});

verifies("golden.judge", "more than half of the votes decide, and no more are taken than needed", async () => {
  let asked = 0;
  const split: Script = (_, reply) => {
    reply.say((asked += 1) === 1 ? pass("Yes.") : reject(`No ${asked}.`));
    reply.finish();
  };
  const { ended, check } = await judgedBy(split, { votes: 5 });
  expect(ended.status).toBe("failed");
  expect(check).toMatchObject({ passed: false, reason: "No 2." });
  expect(check?.["votes"]).toHaveLength(4);
});

verifies("golden.judge", "a judge without a verdict is asked three times in all, and one that fails once", async () => {
  const mumbling = await judgedBy(
    inTurns(...Array.from({ length: 9 }, () => (reply: { say(text: string): void }) => reply.say("Hm."))),
  );
  expect(mumbling.check).toMatchObject({
    passed: false,
    reason: expect.stringMatching(/^The judge failed: The result of gpt-4o/),
  });
  expect(mumbling.judge.calls().length).toBeLessThanOrEqual(3);
  const looping = await judgedBy((_, reply) => {
    reply.callTool("anything", {}, "call");
    reply.finish();
  });
  expect(looping.ended.status).toBe("failed");
  expect(looping.check).toMatchObject({ passed: false, reason: expect.stringMatching(/^The judge failed: /) });
  expect(looping.judge.calls().length).toBeLessThanOrEqual(3);
});
