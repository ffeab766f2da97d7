import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { useSharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

const exported = z.looseObject({ name: z.string(), model: z.string(), system_prompt: z.string() });
const template = z.looseObject({
  id: z.string(),
  purpose: z.string(),
  task: z.string(),
  demo_task: z.string(),
  tools: z.array(z.string()),
  file: z.discriminatedUnion("type", [
    z.looseObject({ type: z.literal("agent"), data: exported }),
    z.looseObject({
      type: z.literal("team"),
      data: z.looseObject({ name: z.string(), mode: z.string(), agents: z.array(z.looseObject({ agent: exported })) }),
    }),
  ]),
});
const named = z.looseObject({ id: z.uuid(), name: z.string(), model: z.string().optional() });
const used = z.strictObject({
  agents: z.array(named),
  team: named.nullable(),
  task: z.string(),
  warnings: z.array(z.unknown()),
});
const run = z.looseObject({
  status: z.string(),
  question: z.looseObject({ interactionId: z.string(), interactionType: z.string() }).nullable(),
});
/** How a person answers each kind of question. */
const ANSWERS: Readonly<Record<string, object>> = {
  approval: { approved: true },
  confirm_data: { approved: true },
  choice: { selectedOptionId: "a" },
  form: { values: { audience: "Families", date: "In March" } },
};

let api: Api;
let consoleApi: Api;
beforeAll(async () => {
  const service = await useSharedService();
  api = apiOf(service, service.keys.api);
  consoleApi = consoleOf(service, service.keys.api);
});

const catalogue = async () => z.array(template).parse((await consoleApi.get("/templates")).body);

async function use(id: string, choice: object = {}): Promise<z.output<typeof used>> {
  const answer = await consoleApi.post(`/templates/${id}/use`, choice);
  expect([id, answer.status, answer.text]).toEqual([id, 201, answer.text]);
  return used.parse(answer.body);
}

/** Gives the example to what a template has made, answers its questions, and waits for its end. */
async function runOf({ agents, team, task }: z.output<typeof used>): Promise<string> {
  const assignee = team === null ? { assigned_agent_id: agents[0]?.id } : { assigned_team_id: team.id };
  const { body } = await api.post("/api-tasks", { title: "Example", description: `${task}\n[[slow:0]]`, ...assignee });
  const { id } = z.looseObject({ id: z.uuid() }).parse(body);
  return eventually(`the example ${id} ends`, async () => {
    const { status, question } = run.parse((await consoleApi.get(`/runs/${id}`)).body);
    if (question !== null) {
      const { interactionId, interactionType } = question;
      await consoleApi.post(`/tasks/${id}/answer`, { interactionId, ...ANSWERS[interactionType] });
    }
    return ["completed", "failed", "cancelled"].includes(status) && status;
  });
}

verifies(
  "gallery.catalogue",
  "the catalogue has twelve agents and teams of each mode, with purposes, examples and records",
  async () => {
    const all = await catalogue();
    expect(all.filter(({ file }) => file.type === "agent").length).toBeGreaterThanOrEqual(12);
    const modes = all.flatMap(({ file }) => (file.type === "team" ? [file.data.mode] : []));
    expect([...new Set(modes)].sort()).toEqual(["collaboration", "orchestrator", "pipeline"]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    for (const { id, purpose, task, demo_task: demo } of all) {
      expect([id, purpose.length <= 100, purpose.endsWith("."), purpose.includes("\n")]).toEqual([
        id,
        true,
        true,
        false,
      ]);
      expect([id, demo.startsWith(task), task.includes("[[")]).toEqual([id, true, false]);
    }
    expect(all.find(({ id }) => id === "researcher")?.tools).toEqual(["web_search", "read_url", "current_time"]);
    // What another workspace can import is the same record.
    const { file } = all.find(({ id }) => id === "research-desk") ?? {};
    expect((await consoleApi.post("/teams/import", file)).status).toBe(201);
  },
);

verifies("gallery.runs", "what each template creates completes its example on the demo model", async () => {
  const ends = await Promise.all((await catalogue()).map(async ({ id }) => [id, await runOf(await use(id))]));
  expect(ends).toEqual(ends.map(([id]) => [id, "completed"]));
});

verifies("gallery.use", "a template is used with a name and a model; a name that is taken gets a number", async () => {
  const first = await use("round-table", { name: "Board" });
  expect([first.team?.name, first.agents.map(({ name }) => name.replace(/ \d+$/, ""))]).toEqual([
    "Board",
    ["Optimist", "Sceptic", "Moderator"],
  ]);
  expect((await use("round-table", { name: "Board" })).team?.name).toBe("Board 2");
  const { agents, task } = await use("researcher", { model: "claude-sonnet-5" });
  expect([agents.map(({ model }) => model), task.includes("[[")]).toEqual([["claude-sonnet-5"], false]);
  expect(refusal(await consoleApi.post("/templates/none/use", {}))).toMatchObject({
    status: 404,
    message: "Template not found",
  });
  const unknown = await consoleApi.post("/templates/researcher/use", { model: "no-such-model" });
  expect(refusal(unknown)).toMatchObject({ status: 400 });
});
