import { beforeAll, expect } from "vitest";
import { apiOf, consoleOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { addText, createBase, documentRead } from "../../support/knowledge.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

const QUESTION = '[[tool:knowledge_search {"query":"zeppelins"}]]';

let service: SharedService;
let api: Api;
let members: readonly [string, string];

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  const knowledge = consoleOf(service, service.keys.api);
  const [mine, others] = [await createBase(knowledge), await createBase(knowledge)];
  for (const [base, name] of [
    [mine, "Mine"],
    [others, "Others"],
  ] as const) {
    const { id } = await addText(knowledge, base, { name, text: `Zeppelins of ${name} fly slowly.` });
    await documentRead(knowledge, id);
  }
  const fields = { tools: ["knowledge_search"], knowledge_base_ids: [mine] };
  members = [(await createAgent(api, fields)).id, (await createAgent(api, fields)).id];
});

const MODES: readonly (readonly [mode: string, configOf: () => object])[] = [
  ["pipeline", () => ({ steps: [{ agent_id: members[0], step_name: "Look" }] })],
  ["orchestrator", () => ({ brain_agent_id: members[0], worker_agent_ids: [members[1]] })],
  ["collaboration", () => ({ agent_ids: members, speaker_selection: "round_robin", max_turns: 2 })],
];

for (const [mode, configOf] of MODES) {
  verifies("runs.modes.voice-and-tools", `mode ${mode}: an agent finds what is in its own knowledge`, async () => {
    const team = await createTeam(api, { mode, config: configOf() });
    const run = await startRun(api, team.id, QUESTION);
    const { output } = await runIn(api, run.id, "completed");
    expect(JSON.stringify(output)).toContain("Zeppelins of Mine");
    expect(JSON.stringify(output)).not.toContain("Zeppelins of Others");
  });
}
