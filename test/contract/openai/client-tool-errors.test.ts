import type OpenAI from "openai";
import { beforeAll, expect } from "vitest";
import { apiOf, idsOf, send } from "../../support/api.ts";
import {
  askedOf,
  clientOf,
  ask,
  bern,
  oslo,
  tools,
  callsIn,
  taskOf,
  tool,
  answered,
} from "../../support/chat-tools.ts";
import { WEATHER, callingScript, callsText } from "../../support/client-tools.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, readTask, taskIn } from "../../support/work.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

let scene: ScriptedWorkspace;
let client: OpenAI;

beforeAll(async () => {
  scene = await useScriptedService();
  client = clientOf(scene.service, scene.service.keys.api);
  await scene.player(callingScript, { name: "Guide", tools: ["current_time"] });
});

verifies("openai.client-tools.errors", "results without a matching call are rejected; the run waits", async () => {
  const messages = ask([bern, oslo]);
  const first = await client.chat.completions.create({ model: "Guide", messages, tools });
  const [one, two] = callsIn(first);
  const said = { role: "assistant", content: null, tool_calls: first.choices[0]?.message.tool_calls };
  const result = (id = "") => ({ role: "tool", tool_call_id: id, content: "x" });
  const { key: foreignKey } = await addWorkspace(scene.service.databaseUrl);
  await createAgent(apiOf(scene.service, foreignKey), { name: "Guide", model: "gpt-4o" });
  await createAgent(scene.api, { name: "Rival", model: "gpt-4o" });
  const post = (key: string, body: object) =>
    send("POST", `${scene.service.url}/v1/chat/completions`, {
      headers: { authorization: `Bearer ${key}` },
      body: { model: "Guide", tools, ...body },
    });
  const both = [...messages, said, result(one?.id), result(two?.id)];
  const refusals = [
    [
      scene.service.keys.api,
      { messages: [...messages, said, result(one?.id)] },
      400,
      "Results are missing for these calls",
    ],
    [
      scene.service.keys.api,
      { messages: [...both, result("call_of_another_service")] },
      404,
      "call_of_another_service",
    ],
    [
      scene.service.keys.api,
      { messages: [...both, result(one?.id.replace(/.$/, "7"))] },
      404,
      "No run of this workspace",
    ],
    [scene.service.keys.api, { messages: both, model: "Rival" }, 400, "another model"],
    [
      scene.service.keys.api,
      { messages: [result(one?.id), { role: "user", content: "and?" }] },
      400,
      "belongs to no earlier call",
    ],
    [
      scene.service.keys.api,
      { messages: [...messages, said, { role: "user", content: "and?" }] },
      400,
      "has no result",
    ],
    [foreignKey, { messages: both }, 404, "No run of this workspace"],
  ] as const;
  for (const [key, body, status, says] of refusals) {
    const answer = await post(key, body);
    expect([answer.status, answer.body]).toMatchObject([status, { error: { message: expect.stringContaining(says) } }]);
  }
  expect(await readTask(scene.api, taskOf(first))).toMatchObject({ status: "waiting_for_input" });
  expect((await post(scene.service.keys.api, { messages: both })).status).toBe(200);
});

verifies("openai.client-tools.errors", "arguments that do not fit are returned to the model", async () => {
  const messages = ask([{ name: "get_weather", args: { town: "Bern" } }], [bern]);
  const first = await client.chat.completions.create({ model: "Guide", messages, tools });
  expect(callsIn(first).map((call) => call.function.arguments)).toEqual(['{"city":"Bern"}']);
  const [, second] = askedOf(scene.provider, messages);
  expect(second?.body.messages.at(-1)?.content).toContain("must have required property 'city'");
});

verifies("openai.client-tools.errors", "tools that cannot be offered are rejected before anything starts", async () => {
  const { id } = await createAgent(scene.api, { name: "Member", model: "gpt-4o" });
  const config = { steps: [{ agent_id: id, step_name: "Only", instructions: "Repeat." }] };
  await scene.api.post("/api-teams", { name: "Crew", mode: "pipeline", config });
  const messages = ask();
  const before = idsOf(await scene.api.get("/api-tasks"));
  const refusals = [
    [{ tools: [tool({ name: "current_time" })] }, "tools.0", "the agent has a tool called current_time"],
    [{ tools, model: "Crew" }, "tools", "a team accepts no client tools"],
    [{ tools: [tool(), tool()] }, "tools.1", "used twice"],
    [{ tools: [tool({ name: "with blanks" })] }, "tools.0.function.name", "letters"],
    [{ tools: [tool({ parameters: { type: "string" } })] }, "tools.0.function.parameters.type", '"object"'],
    [{ tools: [tool({ parameters: { properties: 7 } })] }, "tools.0.parameters", "JSON Schema"],
    [{ tools: [{ type: "custom", custom: { name: "x" } }] }, "tools.0.type", "type function"],
    [{ tools: Array.from({ length: 129 }, (_, n) => tool({ name: `t${n}` })) }, "tools", "at most 128"],
    [{ tool_choice: "required" }, "tool_choice", "needs tools"],
    [{ tools, tool_choice: { type: "function", function: { name: "other" } } }, "tool_choice", "other"],
    [{ tools, tool_choice: "sometimes" }, "tool_choice", "required"],
  ] as const;
  for (const [fields, param, says] of refusals) {
    const answer = await send("POST", `${scene.service.url}/v1/chat/completions`, {
      headers: { authorization: `Bearer ${scene.service.keys.api}` },
      body: { model: "Guide", messages, ...fields },
    });
    const error = { param, message: expect.stringContaining(says), type: "invalid_request_error" };
    expect([fields, answer.status, answer.body]).toMatchObject([fields, 400, { error }]);
  }
  expect(idsOf(await scene.api.get("/api-tasks"))).toEqual(before);
});

verifies("openai.client-tools.expiry", "calls without an answer fail the run at the deadline", async () => {
  const messages = ask([bern]);
  const first = await client.chat.completions.create({ model: "Guide", messages, tools });
  const taskId = taskOf(first);
  await sql(scene.service.databaseUrl, "update task_questions set deadline = now() where subject_id = $1", [taskId]);
  expect(await taskIn(scene.api, taskId, "failed")).toMatchObject({
    error: expect.stringMatching(/^The question ".+" was not answered in time\.$/),
  });
  const late = client.chat.completions.create({
    model: "Guide",
    messages: answered(messages, first, ["sunny"]),
    tools,
  });
  await expect(late).rejects.toMatchObject({ status: 409, message: expect.stringContaining("too late") });
});

verifies(
  ["openai.client-tools.expiry", "openai.responses.cancel"],
  "a response that ended with calls stays completed when its run is cancelled; results come too late",
  async () => {
    const asking = { model: "Guide", tools: [{ type: "function" as const, strict: null, ...WEATHER }] };
    const first = await client.responses.create({ ...asking, input: callsText([bern]) });
    const call = { type: "function_call", status: "completed" };
    const end = { status: "completed", output: [{ type: "message", status: "completed" }, call] };
    expect(first).toMatchObject(end);
    expect(await client.responses.cancel(first.id)).toMatchObject(end);
    await taskIn(scene.api, first.id.slice("resp_".length), "cancelled");
    expect(await client.responses.retrieve(first.id)).toMatchObject(end);
    const outputs = first.output.flatMap((item) =>
      item.type === "function_call"
        ? [{ type: "function_call_output" as const, call_id: item.call_id, output: "sunny" }]
        : [],
    );
    const late = client.responses.create({ ...asking, previous_response_id: first.id, input: outputs });
    await expect(late).rejects.toMatchObject({ status: 409, message: expect.stringContaining("too late") });
  },
);

verifies("openai.client-tools.attempt", "an attempt that no client started offers none of its tools", async () => {
  const messages = ask([bern]);
  const first = await client.chat.completions.create({ model: "Guide", messages, tools });
  const id = taskOf(first);
  await scene.api.patch(`/api-tasks?id=${id}`, { status: "cancelled" });
  await scene.api.patch(`/api-tasks?id=${id}`, { status: "dispatched" });
  expect(await taskIn(scene.api, id, "completed")).toMatchObject({
    result: expect.stringContaining("There is no tool"),
  });
  expect(await createTask(scene.api)).toMatchObject({ status: "pending" });
});
