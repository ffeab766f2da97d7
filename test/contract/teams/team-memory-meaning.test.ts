import { afterAll, beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { createCrewAgent, inputOf, startCrewProvider, firstMessages } from "../../support/teams/crew.ts";
import { startEmbeddingProvider } from "../../support/providers/embedding-provider.ts";
import type { EmbeddingProvider } from "../../support/providers/embedding-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

let provider: ScriptedProvider;
let embeddings: EmbeddingProvider;
let service: TestService;
let api: Api;
let anna: string;

beforeAll(async () => {
  provider = await startCrewProvider();
  embeddings = await startEmbeddingProvider();
  service = await startService({
    env: {
      ...provider.env,
      GOOGLE_BASE_URL: `${embeddings.url}/v1beta`,
      GOOGLE_GENERATIVE_AI_API_KEY: "test-key",
      EMBEDDING_MODEL: "google/gemini-embedding-001",
    },
  });
  api = apiOf(service, service.keys.api);
  anna = await createCrewAgent(service, "Anna");
});
afterAll(async () => {
  await service.stop();
  await provider.close();
  await embeddings.close();
});

/** A team that receives one earlier run. */
async function team(): Promise<string> {
  const config = { steps: [{ agent_id: anna }], memory: { enabled: true, limit: 1 } };
  return (await createTeam(api, { mode: "pipeline", config })).id;
}

/** Runs a team on a task; returns the messages that its agent received. */
async function toldOf(teamId: string, title: string): Promise<string> {
  const { id } = await startRun(api, teamId, inputOf(title));
  await runIn(api, id, "completed");
  return firstMessages(provider, title, "Anna")[0] ?? "";
}

verifies("teams.memory.found", "a memory is found by its meaning, where no word of the task is its own", async () => {
  const teamId = await team();
  await toldOf(teamId, "unforgettable");
  await toldOf(teamId, "bicycles");
  expect(await toldOf(teamId, "forgettable")).toContain("unforgettable (completed");
  const spaces = "select space from passage_embeddings where scope = $1";
  const space = expect.stringMatching(/^google\/gemini-embedding-001\//);
  expect(await sql(service.databaseUrl, spaces, [teamId])).toEqual([{ space }, { space }]);
});

verifies(
  "usage.record.embeddings",
  "embeddings of a team run belong to the run, to no agent, and are not model calls",
  async () => {
    const teamId = await team();
    await toldOf(teamId, "blue herons");
    const { id } = await startRun(api, teamId, inputOf("grey herons"));
    await runIn(api, id, "completed");
    const used = "select agent_id, team_id, model, prompt_tokens > 0 as counted from usage_records";
    const embedded = { agent_id: null, team_id: teamId, model: "gemini-embedding-001", counted: true };
    expect(await sql(service.databaseUrl, `${used} where team_run_id = $1 order by id`, [id])).toEqual([
      // The memory, and the question.
      embedded,
      embedded,
      { agent_id: anna, team_id: teamId, model: expect.any(String), counted: true },
    ]);
    const turns = [expect.objectContaining({ agent_id: anna, model_calls: 1 })];
    expect((await api.get(`/api-runs?id=${id}`)).body).toMatchObject({ usage_by_turn: turns });
  },
);

verifies("teams.memory.found", "a failing embedding provider fails no run: keywords find the memory", async () => {
  const teamId = await team();
  await toldOf(teamId, "autumn rain");
  await toldOf(teamId, "used bicycles");
  embeddings.fail(503);
  const told = await toldOf(teamId, "rain in spring");
  embeddings.fail(undefined);
  expect(told).toContain("autumn rain (completed");
  await toldOf(teamId, "snow");
  expect(embeddings.embedded).toContainEqual(expect.stringContaining("used bicycles"));
});

verifies(
  ["teams.memory.deleted", "teams.memory.found"],
  "the passages of memories are deleted with them and with the team",
  async () => {
    const teamId = await team();
    for (const title of ["gone rain", "gone snow"]) await toldOf(teamId, title);
    const count = "select count(*)::integer as n from passages where scope = $1";
    expect(await sql(service.databaseUrl, count, [teamId])).toEqual([{ n: 2 }]);
    const one = "delete from team_memories where id = (select id from team_memories where team_id = $1 limit 1)";
    await sql(service.databaseUrl, one, [teamId]);
    expect(await sql(service.databaseUrl, count, [teamId])).toEqual([{ n: 1 }]);
    await api.delete(`/api-teams?id=${teamId}`);
    expect(await sql(service.databaseUrl, count, [teamId])).toEqual([{ n: 0 }]);
  },
);
