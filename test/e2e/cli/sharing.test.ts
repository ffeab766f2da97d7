import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, fieldsOf } from "../../support/api.ts";
import { environmentOf, runMuster } from "../../support/muster.ts";
import type { Ended } from "../../support/muster.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { addWorkspace } from "../../support/workspace.ts";

const exportedFile = z.looseObject({ data: z.looseObject({}) });
const imported = z.looseObject({ agents: z.array(z.looseObject({ id: z.uuid(), name: z.string() })) });

let service: SharedService;
let folder: string;

beforeAll(async () => {
  service = await useSharedService();
  folder = await mkdtemp(join(tmpdir(), "muster-cli-sharing-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

function muster(args: readonly string[], { input = "", key = service.keys.api } = {}): Promise<Ended> {
  return runMuster(args, { input, env: { ...environmentOf(service), MUSTER_API_KEY: key } });
}

verifies(["cli.export", "cli.import"], "an agent is copied by file or pipe to another workspace", async () => {
  await createAgent(apiOf(service, service.keys.api), { name: "Traveller", system_prompt: "You travel." });
  const { key } = await addWorkspace(service.databaseUrl);
  const piped = await muster(["export", "agent", "Traveller"]);
  expect(piped).toMatchObject({ code: 0, stderr: "" });
  expect(piped.stdout).toMatch(/^\{\n {2}"format": "muster-export",\n/);

  const path = join(folder, "traveller.json");
  expect(await muster(["export", "agent", "Traveller", "--file", path])).toMatchObject({ code: 0, stdout: "" });
  const timeless = (text: string) => text.replace(/"exported_at": .*/, "");
  expect(timeless(await readFile(path, "utf8"))).toBe(timeless(piped.stdout));

  const fromFile = await muster(["import", path], { key });
  expect([fromFile.code, fromFile.stdout]).toEqual([
    0,
    expect.stringMatching(/^Created agent Traveller \(imported\) \(/),
  ]);
  const fromPipe = await muster(["import", "--json"], { key, input: piped.stdout });
  const [made] = imported.parse(JSON.parse(fromPipe.stdout)).agents;
  expect(fieldsOf(await apiOf(service, key).get(`/api-agents?id=${made?.id}`))).toMatchObject({
    // The first import has the name without a number.
    name: "Traveller 2 (imported)",
    system_prompt: "You travel.",
  });
  const foreign = await muster(["export", "agent", "Traveller", "--format", "crewform-export"]);
  expect(foreign.stdout).toContain('"format": "crewform-export"');
  const file = exportedFile.parse(JSON.parse(foreign.stdout));
  const input = JSON.stringify({ ...file, data: { ...file.data, tools: ["teleport"] } });
  const warned = await muster(["import"], { key, input });
  expect(warned).toMatchObject({ code: 0, stderr: expect.stringContaining('Unknown tool: "teleport" was left out.') });
  await createAgent(apiOf(service, service.keys.api), { name: "Double" });
  const second = await muster(["agents", "create", "--name", "Double", "--model", "demo"]);
  expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining("Another agent has this name") });
});

verifies(["cli.export", "cli.import"], "a team is moved with all of its agents", async () => {
  const api = apiOf(service, service.keys.api);
  const { id: agentId } = await createAgent(api, { name: "Member" });
  const body = { name: "Crew", mode: "pipeline", config: { steps: [{ agent_id: agentId }] } };
  expect((await api.post("/api-teams", body)).status).toBe(201);
  const { stdout } = await muster(["export", "team", "Crew", "--json"]);
  expect(stdout.trimEnd().split("\n")).toHaveLength(1);
  const made = await muster(["import", "-"], { input: stdout });
  expect(made.stdout).toMatch(/^Created agent Member \(imported\) \(.*\)\nCreated team Crew \(imported\) \(.*\)\n$/);
});

verifies("cli.import", "an invalid import is rejected with the reason", async () => {
  const absent = await muster(["import", join(folder, "absent.json")]);
  expect(absent).toMatchObject({ code: 2, stderr: expect.stringContaining("absent.json") });
  expect(await muster(["import"], { input: "no JSON" })).toMatchObject({ code: 2, stdout: "" });
  const unwritable = await muster(["export", "agent", "Traveller", "--file", join(folder, "no", "such.json")]);
  expect(unwritable).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("Cannot write ") });
  const faulty = { format: "muster-export", version: 1, type: "agent", data: { name: "A", model: "nope-9" } };
  const refused = await muster(["import"], { input: JSON.stringify(faulty) });
  expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("data.model") });
});

verifies(
  ["cli.marketplace.list", "cli.marketplace.install"],
  "an offered agent is found and installed in another workspace",
  async () => {
    const api = apiOf(service, service.keys.api);
    const offer = { name: "Offered", description: "Counts beans", is_marketplace: true, marketplace_tags: ["beans"] };
    const { id } = await createAgent(api, offer);
    const { key } = await addWorkspace(service.databaseUrl);
    const list = ["marketplace", "list", "--search", "BEANS", "--tag", "beans", "--sort", "installs"];
    const [heading, row] = (await muster(list, { key })).stdout.split("\n");
    expect(heading).toMatch(/^ID +NAME +MODEL +PUBLISHER +INSTALLS$/);
    expect(row).toMatch(new RegExp(`^${id} +Offered +demo +.+ +0$`));
    const installed = await muster(["marketplace", "install", id], { key });
    expect([installed.code, installed.stdout]).toEqual([
      0,
      expect.stringMatching(/^Installed as agent .*: 1\nRead its prompt and tools, .*: muster agents confirm .*\n$/),
    ]);
    const again = JSON.parse((await muster(["marketplace", "install", id, "--json"], { key })).stdout);
    expect(again).toEqual({
      agent_id: expect.any(String),
      install_count: 1,
      needs_review: true,
      held_tools: [],
      warnings: [],
    });
    const unknown = await muster(["marketplace", "install", again.agent_id], { key });
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("Agent not found") });
    expect((await muster(["marketplace", "list", "--tag", "nothing"], { key })).stdout).toBe("");
  },
);

verifies("cli.agents.confirm", "a copy is shown, and works once it is confirmed", async () => {
  const fields = { name: "Unread", system_prompt: "You read\u001b[2J minds.", tools: ["wait"], is_marketplace: true };
  const { id } = await createAgent(apiOf(service, service.keys.api), fields);
  const { key } = await addWorkspace(service.databaseUrl);
  await muster(["marketplace", "install", id], { key });
  const work = ["tasks", "create", "--agent", "Unread", "--title", "Hello"];
  expect(await muster(work, { key })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("muster agents confirm"),
  });
  expect((await muster(["agents", "get", "Unread"], { key })).stdout).toMatch(/^review +needed; .* confirm /m);
  const unasked = await muster(["agents", "confirm", "Unread"], { key });
  expect(unasked).toMatchObject({ code: 2, stdout: "" });
  for (const shown of ["Tools: wait", "Prompt: You read[2J minds.", "--yes"]) expect(unasked.stderr).toContain(shown);
  const confirmed = await muster(["agents", "confirm", "Unread", "--yes"], { key });
  expect(confirmed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Confirmed agent Unread \(.*\)\n$/) });
  expect(await muster(work, { key })).toMatchObject({ code: 0 });
});
