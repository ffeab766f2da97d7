import { afterAll, beforeAll, expect } from "vitest";
import { MEGABYTES, expectReceived, openStalled, sayMegabytes } from "../../support/clients/stalled-reader.ts";
import { openAiAgent, startTask } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { useProvider } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { messagesIn } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";

let provider: ScriptedProvider;
let service: SharedService;
const gate = Promise.withResolvers<void>();

beforeAll(async () => {
  provider = await startScriptedProvider(async (_, reply) => {
    await gate.promise;
    await sayMegabytes(reply);
  });
  service = await useProvider(provider);
});

afterAll(async () => {
  gate.resolve();
  await provider.close();
});

verifies("ag-ui.sse.slow-reader", "a reader that does not read delays no other, and gets all in the end", async () => {
  const agentId = await openAiAgent(service);
  const taskId = await startTask(service, agentId);
  const stalled = await openStalled(service, { agentId, taskId });
  const reading = readToEnd(service, { agentId, taskId });
  gate.resolve();
  const events = await reading;
  expect(messagesIn(events)).toEqual([MEGABYTES]);
  await expectReceived([stalled], events);
});
