import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf, fieldsOf, send } from "../../../support/api.ts";
import { createDatabase, startProcess } from "../../../support/service.ts";
import type { TestProcess } from "../../../support/service.ts";
import { eventually } from "../../../support/eventually.ts";
import { respond } from "../../../support/interactions.ts";
import { createTextTool, startTexts } from "../../../support/long-run.ts";
import { startAnthropic } from "../../../support/providers/strict/anthropic.ts";
import { startCompatible } from "../../../support/providers/strict/compatible.ts";
import { startOpenAiResponses } from "../../../support/providers/strict/openai-responses.ts";
import { calls, says, thinks } from "../../../support/providers/strict/strict-server.ts";
import type { ReplyTo, StrictServer } from "../../../support/providers/strict/strict-server.ts";
import { verifies } from "../../../support/verifies.ts";
import { createAgent, createTask, readTask, taskIn } from "../../../support/work.ts";
import { endOf } from "./strict-scene.ts";

/** What a request that sends reasoning back has. */
const VENDORS = [
  { provider: "anthropic", model: "claude-sonnet-5-5", server: await startAnthropic(), kept: /"type":"thinking"/ },
  { provider: "openai", model: "gpt-6-sol", server: await startOpenAiResponses(), kept: /"encrypted_content":"gAAA\./ },
  {
    provider: "openai-compatible",
    model: "deepseek-9",
    server: await startCompatible("deepseek"),
    kept: /"reasoning_content":"I need both\."/,
  },
];
const waiting = z.looseObject({ interaction: z.looseObject({ interactionId: z.string() }) });
let isDown = false;
const texts = await startTexts(60, () => !isDown);
const database = await createDatabase();
let killed: TestProcess;
let heir: TestProcess;

/** Reads a part or asks a person, as the task says, and answers when it knows. */
const thoughtful: ReplyTo = ({ text }) => {
  if (/And now\?/.test(text)) return says("Still noon.");
  if (/end of \{|It is twelve/.test(text)) return says("Noon.");
  const call = text.includes("Ask a person")
    ? calls("request_input", { title: "When?" })
    : calls("read_part", { part: 1 });
  return { parts: [thinks("I need both."), { type: "text", text: "One moment." }, call] };
};

const connections = VENDORS.flatMap(({ provider, server }) => {
  const name = provider.toUpperCase().replace("-", "_");
  return [
    [`${name}_API_KEY`, "test-key"],
    [`${name}_BASE_URL`, server.baseUrl],
  ];
});
const env: Record<string, string> = { ALLOW_PRIVATE_URLS: "true", ...Object.fromEntries(connections) };

/** The tasks of each vendor's agent: one that was in a tool call, and one that waited for a person. */
let tasks: readonly { readonly agent: string; readonly reads: string; readonly asks: string }[];

beforeAll(async () => {
  for (const { server } of VENDORS) server.plays(thoughtful);
  killed = await startProcess({ databaseUrl: database.url, env });
  const api = apiOf(killed, killed.keys.api);
  const tools = [await createTextTool(killed, texts), "request_input"];
  tasks = await Promise.all(
    VENDORS.map(async ({ provider, model }) => {
      const { id: agent } = await createAgent(api, { provider, model, tools, system_prompt: "Be brief." });
      const [reads, asks] = await Promise.all(
        ["Read a part.", "Ask a person."].map((title) => createTask(api, { title, assigned_agent_id: agent })),
      );
      return { agent, reads: reads?.id ?? "", asks: asks?.id ?? "" };
    }),
  );
  await eventually("all tools are called", () => Promise.resolve(texts.seen.length === VENDORS.length));
  for (const { asks } of tasks) await taskIn(api, asks, "waiting_for_input");
  await killed.kill();
  isDown = true;
  heir = await startProcess({ databaseUrl: database.url, env, keys: killed.keys });
});

afterAll(async () => {
  await heir.stop();
  await Promise.all([texts.close(), ...VENDORS.map(({ server }) => server.close())]);
  await database.drop();
});

/** The newest request to a vendor that has this text. */
function newest(server: StrictServer, text: string): string {
  return server.accepted.findLast((request) => request.text.includes(text))?.text ?? "";
}

/** What an endpoint wants in another form is learned from its first rejection. */
function expectNoRejections(): void {
  for (const { provider, server } of VENDORS) {
    if (provider !== "openai-compatible") expect(server.rejected).toEqual([]);
  }
}

verifies(
  "providers.strict.reasoning-survives",
  "a tool call repeated after kill -9 keeps its reasoning",
  async () => {
    const api = apiOf(heir, heir.keys.api);
    for (const [index, { server, kept }] of VENDORS.entries()) {
      const end = await endOf(api, tasks[index]?.reads ?? "");
      expect(end).toMatchObject({ status: "completed", result: "Noon." });
      expect(newest(server, "end of {")).toMatch(kept);
      expect(newest(server, "end of {")).toContain("One moment.");
    }
    expectNoRejections();
  },
  { tags: "slow" },
);

verifies(
  "providers.strict.reasoning-survives",
  "a question answered in another process keeps the reasoning",
  async () => {
    const api = apiOf(heir, heir.keys.api);
    for (const [index, { server, kept }] of VENDORS.entries()) {
      const { agent = "", asks = "" } = tasks[index] ?? {};
      const { interaction } = waiting.parse(await readTask(api, asks));
      const answer = { interactionId: interaction.interactionId, text: "It is twelve." };
      expect((await respond(heir, { agentId: agent, taskId: asks }, answer)).status).toBe(200);
      expect(await endOf(api, asks)).toMatchObject({ status: "completed", result: "Noon." });
      expect(newest(server, "It is twelve.")).toMatch(kept);
    }
    expectNoRejections();
  },
  { tags: "slow" },
);

verifies(
  "providers.strict.reasoning-survives",
  "a continued conversation keeps the reasoning",
  async () => {
    for (const [index, { server, kept }] of VENDORS.entries()) {
      const { agent = "", reads = "" } = tasks[index] ?? {};
      const asked = await send("POST", `${heir.url}/v1/responses`, {
        headers: { authorization: `Bearer ${heir.keys.api}` },
        body: { model: agent, previous_response_id: `resp_${reads}`, input: "And now?" },
      });
      expect([asked.status, asked.text]).toEqual([200, expect.stringContaining("Still noon.")]);
      expect(newest(server, "And now?")).toMatch(kept);
    }
    expectNoRejections();
  },
  { tags: "slow" },
);

verifies(
  "providers.strict.reasoning-not-elsewhere",
  "a fork whose agent has another prompt or other tools gets none of the reasoning",
  async () => {
    const api = apiOf(heir, heir.keys.api);
    for (const [index, { server, kept }] of VENDORS.entries()) {
      const { agent = "", asks = "" } = tasks[index] ?? {};
      for (const change of [{ system_prompt: "Be long." }, { system_prompt: "Be brief.", tools: ["request_input"] }]) {
        expect((await api.patch(`/api-agents?id=${agent}`, change)).status).toBe(200);
        const made = await consoleOf(heir, heir.keys.api).post(`/runs/${asks}/fork`, { from_step: 1 });
        const fork = String(fieldsOf(made)["id"]);
        const before = server.accepted.length;
        expect(await endOf(api, fork)).toMatchObject({ status: "completed", result: "Noon." });
        const sent = server.accepted.slice(Math.min(before, server.accepted.length - 1)).map(({ text }) => text);
        expect(sent.join()).toContain("It is twelve.");
        expect(sent.join()).not.toMatch(kept);
      }
    }
    expectNoRejections();
  },
  { tags: "slow" },
);
