import { beforeAll, describe, expect } from "vitest";
import { apiOf, consoleOf, fieldsOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { callOf, questionOf, respond } from "../../support/interactions.ts";
import { startOfficialA2aServer } from "../../support/a2a/official-a2a-server.ts";
import type { OfficialServerOptions } from "../../support/a2a/official-a2a-server.ts";
import type { FakeServer } from "../../support/fake-server.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, readTask, stopTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const ENDS = new Set(["completed", "failed", "cancelled"]);

let service: SharedService;
let api: Api;
let settings: Api;
let agentId: string;

beforeAll(async () => {
  ({ service } = await useScriptedService());
  api = apiOf(service, service.keys.api);
  settings = consoleOf(service, service.keys.api);
  agentId = (await createAgent(api, { tools: ["a2a_delegate"] })).id;
});

async function withServer(options: OfficialServerOptions, run: (server: FakeServer, id: string) => Promise<void>) {
  const server = await startOfficialA2aServer(options);
  const { id, protocol_version } = fieldsOf(await settings.post("/remote-agents", { base_url: server.url }));
  expect(protocol_version).toBe(options.protocol);
  try {
    await run(server, String(id));
  } finally {
    await settings.delete(`/remote-agents/${String(id)}`);
    await server.close();
  }
}

async function delegate(remoteId: string, message: string): Promise<string> {
  const description = callOf("a2a_delegate", { agent_id: remoteId, message });
  return (await createTask(api, { assigned_agent_id: agentId, description })).id;
}

/** The delegations in progress whose remote task is known. */
async function openCalls(): Promise<number> {
  const open = "select from remote_calls where ended_at is null and remote_task_id is not null and workspace_id = $1";
  return (await sql(service.databaseUrl, open, [service.workspaceId])).length;
}

async function resultOf(taskId: string): Promise<string> {
  await eventually("the end of the task", async () => ENDS.has((await readTask(api, taskId)).status));
  return String(ofType(await readToEnd(service, { agentId, taskId }), "TOOL_CALL_END")[0]?.["result"]);
}

const SERVERS = [
  { protocol: "1.0" },
  { protocol: "1.0", binding: "HTTP+JSON" },
  { protocol: "0.3" },
] as const satisfies readonly Omit<OfficialServerOptions, "streaming">[];

for (const { protocol, ...bound } of SERVERS) {
  for (const streaming of [true, false]) {
    const kind = { protocol, ...bound, streaming };
    const name = "binding" in bound ? `${protocol} over ${bound.binding}` : protocol;
    describe(`a server of the official SDK for ${name} ${streaming ? "with" : "without"} streams`, () => {
      verifies(["a2a-client.official-servers", "a2a-client.both-families"], "answers, fails and is tested", () =>
        withServer(kind, async (_, id) => {
          expect(await resultOf(await delegate(id, "say Hello from the SDK"))).toBe("Hello from the SDK");
          expect(await resultOf(await delegate(id, "fail It broke"))).toContain("It broke");
          const tested = await settings.post(`/remote-agents/${id}/test`, { message: "say Ready" });
          expect(tested.body).toMatchObject({ status: "success", output: "Ready", error: null });
        }),
      );

      verifies(["a2a-client.official-servers", "a2a-client.asks"], "asks, and gets a person's answer", () =>
        withServer(kind, async (_, id) => {
          const taskId = await delegate(id, "ask Which colour?");
          const { request, interactionId } = await questionOf(service, { agentId, taskId });
          expect(request).toMatchObject({ interactionType: "text_input", description: "Which colour?" });
          await respond(service, { agentId, taskId }, { interactionId, text: "blue" });
          await taskIn(api, taskId, "completed");
          expect(await resultOf(taskId)).toBe("You said blue");
        }),
      );

      verifies(["a2a-client.official-servers", "a2a-client.cancel"], "is cancelled with the task", () =>
        withServer(kind, async (server, id) => {
          const taskId = await delegate(id, "hang");
          await eventually("the remote task is known", async () => (await openCalls()) === 1);
          await stopTask(api, taskId);
          await eventually("the cancel", () => server.seen.some(({ path, body }) => /cancel/i.test(path + body)));
          await eventually("the end of the call", async () => (await openCalls()) === 0);
        }),
      );
    });
  }
}
