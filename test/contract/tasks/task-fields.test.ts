import { beforeAll, expect } from "vitest";
import { apiOf, fieldsOf, idsOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import { TASK_STATUSES } from "#domain/tasks/task-status.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, readTask } from "../../support/work.ts";

const NOBODY = "01940000-0000-7000-8000-000000000000";

let api: Api;
let agentId: string;

beforeAll(async () => {
  const service = await useSharedService();
  api = apiOf(service, service.keys.api);
  agentId = (await createAgent(api)).id;
});

verifies(
  "tasks.patch.assign-dispatches",
  "a pending task runs when it is given an agent and is said to be pending",
  async () => {
    const { id } = await createTask(api);
    const short = await api.patch(`/api-tasks?id=${id}`, { status: "pending", assigned_agent_id: agentId });
    expect([short.status, fieldsOf(short)]).toMatchObject([200, { status: "dispatched", assigned_agent_id: agentId }]);
    // As a client sends back what it has read.
    const record = await createTask(api);
    const whole = await api.patch(`/api-tasks?id=${record.id}`, { ...record, assigned_agent_id: agentId });
    expect([whole.status, fieldsOf(whole)]).toMatchObject([200, { status: "dispatched", assigned_agent_id: agentId }]);
  },
);

verifies("tasks.create.status", "the status of a new task is the service's, whatever is given", async () => {
  const record = await createTask(api);
  const copy = await api.post("/api-tasks", record);
  expect([copy.status, fieldsOf(copy)]).toMatchObject([201, { title: record["title"], status: "pending" }]);
  const given = { title: "Go", assigned_agent_id: agentId };
  for (const status of TASK_STATUSES) {
    const assigned = await api.post("/api-tasks", { ...given, status });
    expect([status, assigned.status, fieldsOf(assigned)["status"]]).toEqual([status, 201, "dispatched"]);
    const plain = await api.post("/api-tasks", { title: "Go", status });
    expect([status, plain.status, fieldsOf(plain)["status"]]).toEqual([status, 201, "pending"]);
  }
  expect(refusal(await api.post("/api-tasks", { ...given, status: "busy" }))).toMatchObject({
    status: 400,
    paths: ["status"],
  });
});

const faults = [
  { field: "title", value: undefined, onCreate: true, verifies: "tasks.create.title-required" },
  { field: "title", value: "", verifies: "tasks.create.title-length" },
  { field: "title", value: "   ", verifies: "agents.create.name-blank" },
  { field: "title", value: "t".repeat(201), verifies: "tasks.create.title-length" },
  { field: "priority", value: "asap", verifies: "tasks.create.priority-values" },
  { field: "priority", value: 1, verifies: "tasks.create.priority-values" },
  { field: "metadata", value: [], verifies: "tasks.create.metadata-object" },
  { field: "metadata", value: "x", verifies: "tasks.create.metadata-object" },
  { field: "metadata", value: null, verifies: "tasks.create.metadata-object" },
  { field: "description", value: 5, verifies: "tasks.create.defaults" },
  { field: "assigned_agent_id", value: "me", verifies: "tasks.create.foreign-agent-404" },
] as const;

for (const fault of faults) {
  const { field, value } = fault;
  const shown = `${field} ${JSON.stringify(value)?.slice(0, 30) ?? "left out"}`;
  verifies(fault.verifies, `creating with ${shown} is rejected and creates nothing`, async () => {
    const before = idsOf(await api.get("/api-tasks?limit=200"));
    const answer = await api.post("/api-tasks", { title: "Go", [field]: value });
    expect(refusal(answer)).toMatchObject({ status: 400, code: "bad_request", paths: [field] });
    expect(idsOf(await api.get("/api-tasks?limit=200"))).toEqual(before);
  });
  if ("onCreate" in fault) continue;
  verifies("tasks.patch.validated", `changing to ${shown} is rejected and changes nothing`, async () => {
    const task = await createTask(api);
    const answer = await api.patch(`/api-tasks?id=${task.id}`, { [field]: value });
    expect(refusal(answer)).toMatchObject({ status: 400, code: "bad_request", paths: [field] });
    expect(await readTask(api, task.id)).toEqual(task);
  });
}

verifies(
  ["tasks.create.priority-values", "tasks.create.title-length", "tasks.create.metadata-object"],
  "each priority, a long title and nested metadata are kept",
  async () => {
    const metadata = { ticket: 7, nested: { list: [null, true, "ü"] } };
    for (const priority of ["low", "medium", "high", "urgent"]) {
      const sent = { title: "t".repeat(200), priority, metadata, description: "Ünïcode 🛰️\nlines" };
      const answer = await api.post("/api-tasks", sent);
      expect(answer.status).toBe(201);
      expect(fieldsOf(answer)).toMatchObject(sent);
    }
  },
);

verifies(
  ["tasks.create.foreign-agent-404", "envelope.body.nothing-half-written"],
  "a task for an unknown agent is 404 and is not created",
  async () => {
    const before = idsOf(await api.get("/api-tasks?limit=200"));
    const answer = await api.post("/api-tasks", { title: "Go", assigned_agent_id: NOBODY });
    expect(refusal(answer)).toMatchObject({ status: 404, code: "not_found" });
    expect(idsOf(await api.get("/api-tasks?limit=200"))).toEqual(before);
  },
);

verifies(
  ["tasks.create.agent-and-team-400", "envelope.body.nothing-half-written"],
  "naming an agent and a team together is rejected and starts nothing",
  async () => {
    const before = idsOf(await api.get("/api-tasks?limit=200"));
    const both = { title: "Go", assigned_agent_id: agentId, assigned_team_id: NOBODY };
    expect(refusal(await api.post("/api-tasks", both))).toMatchObject({
      status: 400,
      paths: ["assigned_agent_id", "assigned_team_id"],
    });
    expect(idsOf(await api.get("/api-tasks?limit=200"))).toEqual(before);
  },
);
