import { afterAll, beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import { goldenOf } from "../../support/golden.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ProviderCall, ProviderReply, ScriptedProvider } from "../../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess, startService } from "../../support/service.ts";
import type { StartOptions, TestDatabase, TestProcess, TestService } from "../../support/service.ts";
import { openAiAgent } from "../../support/runs.ts";
import { verifies } from "../../support/verifies.ts";

let database: TestDatabase;
let provider: ScriptedProvider;
let killed: TestProcess;
let service: TestService;
const keys = createKeys();
const TITLES = ["crash one", "crash two"];

beforeAll(async () => {
  provider = await startScriptedProvider(answerOrHang);
  database = await createDatabase();
  service = killed = await startProcess(options());
});
afterAll(async () => {
  await service.stop();
  await provider.close();
  await database.drop();
});

verifies(
  "golden.run.durable",
  "a golden run whose process is killed in a model call and in a judge's call ends in the next one",
  async () => {
    const agentId = await openAiAgent(service, { tools: ["current_time"] });
    const judgeId = await openAiAgent(service, { name: "Judge" });
    const before = goldenOf(service, apiOf(service, keys.api));
    const checks = [{ type: "exact" }, { type: "judge", agent_id: judgeId, rubric: "It says done.", votes: 3 }];
    for (const title of TITLES) await before.keep(await before.ended(agentId, { title }), { checks });

    const { id } = await before.start(agentId);
    await provider.called("Judge a result", 0, 2);
    await killed.kill();
    service = await startService(options());
    const after = goldenOf(service, apiOf(service, keys.api));
    const run = await after.ends(id);
    expect(run).toMatchObject({ status: "passed", cases: 2, passed: 2 });
    const vote = { passed: true, reason: "fine" };
    expect(run.results.map(({ checks: found }) => found[1]?.["votes"])).toEqual([
      [vote, vote],
      [vote, vote],
    ]);
    // The recorded calls of the agent before the kill are not made again.
    expect(TITLES.map((title) => provider.callsOf(title, 1).length)).toEqual([2, 2]);
  },
  { tags: "slow" },
);

function options(): StartOptions {
  return { databaseUrl: database.url, keys, env: { ...provider.env, SHUTDOWN_GRACE: "0.2" } };
}

/** The agent calls a tool, then answers. The judge's first two calls hang. */
function answerOrHang({ task, turn, nth }: ProviderCall, reply: ProviderReply): void {
  if (task === "Judge a result") {
    if (nth <= 2) return;
    reply.say('{"passed": true, "reason": "fine"}');
  } else if (turn === 0) reply.callTool("current_time", {}, "look");
  else reply.say("done");
  reply.finish();
}
