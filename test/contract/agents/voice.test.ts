import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, consoleOf, fieldsOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { openAiAgent, setStatus, startTask, taskEnd } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { useProvider } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

const PROMPT = "You are a clerk.";
const OWN = { tone: "Formal", custom_instructions: "No jargon.", output_format_hints: "Short lines." } as const;
const OWN_SECTION = "## Voice & Tone\n\nTone: Formal\n\nNo jargon.\n\nOutput format: Short lines.";
const SAVED = { name: "House voice", tone: "Casual", custom_instructions: "Be warm." } as const;
const SAVED_SECTION = "## Voice & Tone\n\nTone: Casual\n\nBe warm.";
/** The titles of tasks whose model calls a tool first. */
const WITH_TOOL = "with a tool";
const EDITED_MEANWHILE = "edited meanwhile";

let provider: ScriptedProvider;
let service: SharedService;
let api: Api;
let library: Api;
let edit: () => Promise<unknown>;

beforeAll(async () => {
  provider = await startScriptedProvider(async (call, reply) => {
    if (call.turn === 0 && call.task === EDITED_MEANWHILE) await edit();
    if (call.turn === 0 && [WITH_TOOL, EDITED_MEANWHILE].includes(call.task)) reply.callTool("current_time", {});
    else reply.say("Said.");
    reply.finish();
  });
  service = await useProvider(provider);
  api = apiOf(service, service.keys.api);
  library = consoleOf(service, service.keys.api);
});
afterAll(() => provider.close());

/** Lets an agent do a task and returns what the provider got, call by call: roles and texts. */
async function conversations(agentId: string, title: string): Promise<(readonly [string, unknown])[][]> {
  expect(await taskEnd(service, await startTask(service, agentId, { title }))).toMatchObject({ status: "completed" });
  return sent(title);
}

function sent(title: string): (readonly [string, unknown])[][] {
  return provider.callsOf(title).map(({ body }) => body.messages.map(({ role, content }) => [role, content] as const));
}

async function systemPromptOf(agentId: string): Promise<unknown> {
  const [first] = await conversations(agentId, crypto.randomUUID());
  return first?.[0]?.[1];
}

async function save(fields: object): Promise<string> {
  return String(fieldsOf(await library.post("/voice-profiles", fields))["id"]);
}

verifies(
  ["voice.section", "voice.section.parts"],
  "the provider gets the system prompt, the section with its parts in order, then the task",
  async () => {
    const agentId = await openAiAgent(service, { system_prompt: PROMPT, voice_profile: OWN });
    expect(await conversations(agentId, "plain")).toEqual([
      [
        ["system", `${PROMPT}\n\n${OWN_SECTION}`],
        ["user", "Task Title: plain"],
      ],
    ]);
  },
);

verifies("voice.section.parts", "parts that are not given are left out", async () => {
  const bare = await openAiAgent(service, { system_prompt: PROMPT, voice_profile: { tone: "Creative" } });
  expect(await systemPromptOf(bare)).toBe(`${PROMPT}\n\n## Voice & Tone\n\nTone: Creative`);
  const voice_profile = { tone: "Custom", output_format_hints: "As a poem." };
  const silent = await openAiAgent(service, { system_prompt: "", voice_profile });
  expect(await systemPromptOf(silent)).toBe("## Voice & Tone\n\nTone: Custom\n\nOutput format: As a poem.");
});

verifies("voice.section.absent", "without a profile only the system prompt is sent", async () => {
  const agentId = await openAiAgent(service, { system_prompt: PROMPT });
  expect(await systemPromptOf(agentId)).toBe(PROMPT);
  await api.patch(`/api-agents?id=${agentId}`, { voice_profile: OWN });
  expect(await systemPromptOf(agentId)).toBe(`${PROMPT}\n\n${OWN_SECTION}`);
  await api.patch(`/api-agents?id=${agentId}`, { voice_profile: null });
  expect(await systemPromptOf(agentId)).toBe(PROMPT);
});

verifies(
  "voice.every-call",
  "every model call of a run has the section once, and so has a second attempt",
  async () => {
    const agentId = await openAiAgent(service, { system_prompt: PROMPT, voice_profile: OWN });
    const task = await startTask(service, agentId, { title: WITH_TOOL });
    await taskEnd(service, task);
    await setStatus(service, task, "dispatched");
    await provider.called(WITH_TOOL, 1, 2);
    const calls = sent(WITH_TOOL);
    expect(calls.map((messages) => messages[0])).toEqual(calls.map(() => ["system", `${PROMPT}\n\n${OWN_SECTION}`]));
    expect(JSON.stringify(calls).split("## Voice & Tone")).toHaveLength(4 + 1);
  },
);

verifies(
  ["voice.saved", "voice.saved.first", "agents.write.voice-profile-id"],
  "agents speak as the saved profile that they select, not as their own",
  async () => {
    const voice_profile_id = await save(SAVED);
    const first = await openAiAgent(service, { system_prompt: PROMPT, voice_profile_id, voice_profile: OWN });
    const second = await openAiAgent(service, { system_prompt: "Other." });
    const changed = await api.patch(`/api-agents?id=${second}`, { voice_profile_id });
    expect(fieldsOf(changed)).toMatchObject({ voice_profile_id, voice_profile: null });
    expect(fieldsOf(await api.get(`/api-agents?id=${first}`))).toMatchObject({ voice_profile_id, voice_profile: OWN });
    expect(await systemPromptOf(first)).toBe(`${PROMPT}\n\n${SAVED_SECTION}`);
    expect(await systemPromptOf(second)).toBe(`Other.\n\n${SAVED_SECTION}`);
    await api.patch(`/api-agents?id=${first}`, { voice_profile_id: null });
    expect(await systemPromptOf(first)).toBe(`${PROMPT}\n\n${OWN_SECTION}`);
  },
);

verifies("voice.saved.edit", "a change applies from the next dispatch on, not to a run in progress", async () => {
  const id = await save(SAVED);
  const agentId = await openAiAgent(service, { system_prompt: PROMPT, voice_profile_id: id });
  edit = () => library.patch(`/voice-profiles/${id}`, { tone: "Empathetic", custom_instructions: "" });
  const calls = await conversations(agentId, EDITED_MEANWHILE);
  const before = ["system", `${PROMPT}\n\n${SAVED_SECTION}`];
  expect(calls.map((messages) => messages[0])).toEqual([before, before]);
  expect(await systemPromptOf(agentId)).toBe(`${PROMPT}\n\n## Voice & Tone\n\nTone: Empathetic`);
});

verifies("voice.saved.delete", "after the profile is deleted its agents use their own, or none", async () => {
  const voice_profile_id = await save(SAVED);
  const own = await openAiAgent(service, { system_prompt: PROMPT, voice_profile_id, voice_profile: OWN });
  const none = await openAiAgent(service, { system_prompt: PROMPT, voice_profile_id });
  expect((await library.delete(`/voice-profiles/${voice_profile_id}`)).status).toBe(204);
  expect(fieldsOf(await api.get(`/api-agents?id=${own}`))).toMatchObject({ voice_profile_id: null });
  expect(await systemPromptOf(own)).toBe(`${PROMPT}\n\n${OWN_SECTION}`);
  expect(await systemPromptOf(none)).toBe(PROMPT);
});
