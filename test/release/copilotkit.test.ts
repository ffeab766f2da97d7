import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { HttpAgent } from "ag-ui-client-0";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { apiOf, send } from "../support/api.ts";
import { WEATHER, callingScript, callsText } from "../support/client-tools.ts";
import { installPackages } from "../support/clients/install-packages.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ScriptedProvider } from "../support/scripted-provider.ts";
import { startService } from "../support/service.ts";
import type { TestService } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { createAgent, readTask } from "../support/work.ts";

const MINUTE = 60_000;
const EXAMPLE = join(import.meta.dirname, "../../examples/copilotkit");

describe("CopilotKit", () => {
  let provider: ScriptedProvider;
  let service: TestService;
  let runtime: ChildProcess;
  let url: string;

  beforeAll(async () => {
    await installPackages(EXAMPLE, "@copilotkit/runtime");
    provider = await startScriptedProvider(callingScript);
    service = await startService({ env: { ...provider.env } });
    const { id } = await createAgent(apiOf(service, service.keys.api), { model: "gpt-4o", tools: ["request_choice"] });
    runtime = spawn(process.execPath, ["server.mjs"], {
      cwd: EXAMPLE,
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        ...process.env,
        MUSTER_URL: service.url,
        MUSTER_AGENT: id,
        MUSTER_AGUI_KEY: service.keys.agui,
        PORT: "0",
        COPILOTKIT_TELEMETRY_DISABLED: "true",
      },
    });
    if (runtime.stdout === null) throw new Error("The example has an output.");
    [url = ""] = await once(createInterface(runtime.stdout), "line");
  }, 10 * MINUTE);
  afterAll(async () => {
    runtime.kill();
    await service.stop();
    await provider.close();
  });

  verifies(
    "ag-ui.copilotkit",
    "its runtime works with an agent: a thread with two messages and a frontend tool",
    async () => {
      expect((await send("GET", `${url}/info`)).body).toMatchObject({ agents: { support: {} } });
      const client = new HttpAgent({ url: `${url}/agent/support/run` });
      const tools = [WEATHER];
      client.addMessage({
        id: newId(),
        role: "user",
        content: callsText([{ name: "get_weather", args: { city: "Bern" } }]),
      });
      await client.runAgent({ tools });
      const [call] = client.messages.flatMap((message) =>
        message.role === "assistant" ? (message.toolCalls ?? []) : [],
      );
      if (call === undefined) throw new Error("The agent has called a tool.");
      client.addMessage({ id: newId(), role: "tool", toolCallId: call.id, content: "sunny" });
      expect((await client.runAgent({ tools })).newMessages).toMatchObject([{ content: "Results: sunny" }]);
      client.addMessage({ id: newId(), role: "user", content: "Thanks" });
      expect((await client.runAgent({ tools })).newMessages).toMatchObject([{ content: "Results: none" }]);
      const task = await readTask(apiOf(service, service.keys.api), client.threadId);
      expect(task).toMatchObject({ status: "completed", attempt: 2 });
    },
  );

  verifies(
    ["ag-ui.copilotkit", "ag-ui.standard.interrupts-any-client"],
    "a question of the agent reaches its screen as an interrupt, and the answer the agent",
    async () => {
      const client = new HttpAgent({ url: `${url}/agent/support/run` });
      const question = { name: "request_choice", args: { title: "What?", choices: [{ id: "tea", label: "Tea" }] } };
      client.addMessage({ id: newId(), role: "user", content: callsText([question]) });
      await client.runAgent();
      const [interrupt] = client.pendingInterrupts;
      if (interrupt === undefined) throw new Error("The agent has asked a question.");
      const payload = { selectedOptionId: "tea" };
      await client.runAgent({ resume: [{ interruptId: interrupt.id, status: "resolved", payload }] });
      const task = await readTask(apiOf(service, service.keys.api), client.threadId);
      expect(task).toMatchObject({ status: "completed", result: `Results: ${JSON.stringify(payload)}` });
    },
  );
});
