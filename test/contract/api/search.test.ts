import { beforeAll, expect } from "vitest";
import { apiOf, consoleOf, fieldsOf, listOf, refusal } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask } from "../../support/work.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

/** In the workspace of the voice $1. */
const CONNECTED = `
  with w as (select workspace_id as id from voice_profiles where id = $1::uuid), server as (
    insert into mcp_servers (id, workspace_id, name, url, timeout_ms, info)
    select gen_random_uuid(), id, 'harbour', 'https://mcp.example.org', 1000, '{}' from w)
  insert into remote_agents (id, workspace_id, base_url, card)
  select gen_random_uuid(), id, 'https://agents.example.org', '{"name": "Harbour master"}' from w`;

let service: SharedService;

beforeAll(async () => {
  service = await useSharedService();
});

verifies("console.search", "records are found by name, title and id; those that begin so come first", async () => {
  const { key } = await addWorkspace(service.databaseUrl);
  const api = apiOf(service, key);
  const agent = await createAgent(api, { name: "The invoice reader" });
  const first = await createAgent(api, { name: "Invoice writer" });
  const team = await createTeam(api, { name: "100% invoices_all" });
  const task = await createTask(api, { title: "Read the paid invoices of May" });
  await Promise.all(Array.from({ length: 10 }, () => createTask(api, { title: "Send an invoice" })));
  const search = async (q: string) => listOf(await consoleOf(service, key).get(`/search?q=${encodeURIComponent(q)}`));
  const found = await search("invoice");
  expect(found.filter(({ kind }) => kind === "agent").map(({ id }) => id)).toEqual([first.id, agent.id]);
  expect(found.filter(({ kind }) => kind === "run")).toHaveLength(8);
  expect(await search("invoices paid")).toMatchObject([{ kind: "run", id: task.id, status: "pending" }]);
  expect((await search("0% invoices_")).filter(({ kind }) => kind !== "run")).toMatchObject([
    { kind: "team", id: team.id },
  ]);
  expect((await search("0%%invoices")).filter(({ kind }) => kind !== "run")).toEqual([]);
  expect(await search(agent.id)).toMatchObject([{ kind: "agent", id: agent.id }]);
  const { id: voice } = fieldsOf(
    await consoleOf(service, key).post("/voice-profiles", { name: "Harbour", tone: "Formal" }),
  );
  await consoleOf(service, key).post("/output-templates", { name: "Harbour report", type: "HTML", body: "x" });
  await sql(service.databaseUrl, CONNECTED, [voice]);
  expect((await search("harbour")).map(({ kind, name }) => [kind, name].join(": ")).toSorted()).toEqual([
    "mcp_server: harbour",
    "output_template: Harbour report",
    "remote_agent: Harbour master",
    "voice_profile: Harbour",
  ]);
  const { key: other } = await addWorkspace(service.databaseUrl);
  expect(listOf(await consoleOf(service, other).get("/search?q=invoice"))).toEqual([]);
});

verifies("console.search", "a search needs a text of at most 200 characters", async () => {
  for (const query of ["", "?q=", "?q=%20", `?q=${"x".repeat(201)}`]) {
    const answer = refusal(await consoleOf(service, service.keys.api).get(`/search${query}`));
    expect(answer).toMatchObject({ status: 400, paths: ["q"] });
  }
});
