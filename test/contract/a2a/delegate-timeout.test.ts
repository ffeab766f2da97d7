import { afterAll, beforeAll, describe, expect } from "vitest";
import { startRemoteAgent } from "../../support/a2a/remote-agent.ts";
import { apiOf, consoleOf, fieldsOf } from "../../support/api.ts";
import { callOf } from "../../support/interactions.ts";
import { startTask, taskEnd } from "../../support/runs.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

/** In seconds: what a remote agent may take, and more than a busy machine takes to call one. */
const TIMEOUT_S = 4;
const KINDS = [
  { protocol: "1.0", streaming: true },
  { protocol: "1.0", streaming: false },
  { protocol: "0.3", streaming: true },
  { protocol: "0.3", streaming: false, oldPath: true },
] as const;

let service: TestService;
let agentId: string;

beforeAll(async () => {
  service = await startService({ env: { ALLOW_PRIVATE_URLS: "true", REMOTE_AGENT_TIMEOUT: String(TIMEOUT_S) } });
  agentId = (await createAgent(apiOf(service, service.keys.api), { tools: ["a2a_delegate"] })).id;
});
afterAll(() => service.stop());

describe.concurrent("a remote agent that takes too long", () => {
  for (const kind of KINDS) {
    const streams = kind.streaming ? "with" : "without";
    verifies("a2a-client.timeout", `is cancelled, by ${kind.protocol} ${streams} streams`, async () => {
      const remote = await startRemoteAgent(kind);
      const desk = consoleOf(service, service.keys.api);
      const made = await desk.post("/remote-agents", { base_url: remote.url, token: "s3cret" });
      const description = callOf("a2a_delegate", { agent_id: fieldsOf(made)["id"], message: "hang" });
      const taskId = await startTask(service, agentId, { description });
      await taskEnd(service, taskId);
      const events = await readToEnd(service, { agentId, taskId });
      expect(ofType(events, "TOOL_CALL_END")[0]?.["result"]).toContain(`took longer than ${TIMEOUT_S} s`);
      expect(remote.calls.at(-1)?.method.toLowerCase()).toContain("cancel");
      await remote.close();
    });
  }
});
