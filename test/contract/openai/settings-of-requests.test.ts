import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { send } from "../../support/api.ts";
import { WEATHER, callingScript, callsText } from "../../support/client-tools.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedAgent, ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import type { Script } from "../../support/scripted-provider.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, readAgent } from "../../support/work.ts";

const POINT = { type: "object", properties: { y: { type: "number" }, x: { type: "number" } }, required: ["y", "x"] };
const JSON_POINT = '{"y":1,"x":2}';
const question = [{ role: "user", content: "Where?" }];
const responseFormat = { type: "json_schema", json_schema: { name: "point", schema: POINT } };

let scene: ScriptedWorkspace;
let guide: ScriptedAgent;

/** A model that answers in words first, and with JSON when it is told that this is no JSON. */
const learning: Script = ({ body }, reply) => {
  const isTold = body.messages.at(-1)?.content?.startsWith("Notice of the service") === true;
  reply.say(isTold ? JSON_POINT : "At the lake.");
  reply.finish();
};

beforeAll(async () => {
  scene = await useScriptedService();
  guide = await scene.player(learning, { name: "Guide" });
  await scene.player(callingScript, { name: "Caller" });
  await scene.player(learning, { name: "Own", output_schema: POINT });
  await scene.player(learning, { name: "Framed", output_template: { type: "markdown", body: "# {{task_result}}" } });
  await scene.api.post("/api-teams", { name: "Crew", mode: "pipeline" });
});

const completion = z.looseObject({
  choices: z.tuple([z.looseObject({ message: z.looseObject({ content: z.string().nullable() }) })]),
});
const reasoning = z.looseObject({ effort: z.string().optional() }).optional();
const created = z.looseObject({ id: z.string(), output: z.array(z.looseObject({ type: z.string() })) });

async function post(path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const authorization = `Bearer ${scene.service.keys.api}`;
  return send("POST", `${scene.service.url}/v1${path}`, { headers: { authorization, ...headers }, body });
}

const chat = (body: object) => post("/chat/completions", { model: "Guide", messages: question, ...body });
const respond = (body: object) => post("/responses", { model: "Guide", input: "Where?", ...body });
const textOf = (body: unknown) => completion.parse(body).choices[0].message.content;

verifies("openai.format", "response_format and text.format give JSON that satisfies the schema", async () => {
  const asked = await chat({ response_format: responseFormat });
  expect([asked.status, textOf(asked.body)]).toEqual([200, JSON_POINT]);
  const [system] = guide.calls().at(-1)?.body.messages ?? [];
  expect(system?.content).toContain(JSON.stringify(POINT));
  const format = { type: "json_schema", name: "point", schema: POINT };
  const response = await respond({ text: { format } });
  expect(response.body).toMatchObject({
    text: { format: { ...format, description: null, strict: false } },
    output: [{ content: [{ text: JSON_POINT }] }],
  });
  expect(textOf((await chat({ response_format: { type: "json_object" } })).body)).toBe(JSON_POINT);
  const plain = await chat({ response_format: { type: "text" } });
  expect(textOf(plain.body)).toBe("At the lake.");
  expect(await readAgent(scene.api, guide.id)).toMatchObject({ output_schema: null });
});

verifies("openai.format", "an agent's own schema, its template and a team are no reason for other JSON", async () => {
  const other = { type: "json_schema", json_schema: { name: "any", schema: { type: "array" } } };
  for (const [model, format, status, says] of [
    ["Own", { type: "json_object" }, 200, ""],
    ["Own", responseFormat, 200, ""],
    ["Own", other, 400, "schema of its own"],
    ["Framed", responseFormat, 400, "output template"],
    ["Crew", responseFormat, 400, "a team"],
  ] as const) {
    const answer = await chat({ model, response_format: format });
    expect([model, answer.status, JSON.stringify(answer.body)]).toEqual([model, status, expect.stringContaining(says)]);
  }
});

verifies("openai.effort", "the effort of a request applies to its run only, if the model accepts it", async () => {
  const thinker = await scene.player(learning, { name: "Thinker", model: "gpt-6-luna", temperature: null });
  const effortOf = () => reasoning.parse(thinker.calls().at(-1)?.body["reasoning"])?.effort;
  expect((await chat({ model: "Thinker", reasoning_effort: "high" })).status).toBe(200);
  expect(effortOf()).toBe("high");
  const response = await respond({ model: "Thinker", reasoning: { effort: "low" } });
  expect([response.body, effortOf()]).toMatchObject([{ reasoning: { effort: "low", summary: null } }, "low"]);
  await chat({ model: "Thinker" });
  expect(effortOf()).toBeUndefined();
  const wrong = await chat({ model: "Thinker", reasoning_effort: "minimal" });
  expect(wrong).toMatchObject({ status: 400, body: { error: { param: "reasoning_effort" } } });
  const team = await respond({ model: "Crew", reasoning: { effort: "low" } });
  expect(team).toMatchObject({ status: 400, body: { error: { param: "reasoning.effort" } } });
});

verifies("openai.warnings", "parameters without effect are named in X-Warning, others are not", async () => {
  const own = { temperature: 0.7, top_p: 1, stop: null, store: false, n: 1, user: undefined };
  expect((await chat(own)).headers.get("x-warning")).toBeNull();
  const tuned = await chat({ temperature: 0, max_completion_tokens: 5, stop: ["."], naïve: 1 });
  expect([tuned.status, tuned.headers.get("x-warning")]).toEqual([
    200,
    "These parameters have no effect, the agent's own settings apply: temperature, max_completion_tokens, stop, na?ve.",
  ]);
  const response = await respond({
    max_output_tokens: 9,
    max_tool_calls: 1,
    reasoning: { summary: "auto" },
    text: { verbosity: "low" },
    include: ["reasoning.encrypted_content"],
    stream: true,
  });
  expect(response.headers.get("x-warning")).toMatch(
    /: max_output_tokens, max_tool_calls, include reasoning\.encrypted_content, text\.verbosity, reasoning\.summary\.$/,
  );
  const many = await chat(Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`field_${index}`, 1])));
  expect(many.headers.get("x-warning")).toContain("field_19 and 5 more.");
});

verifies("openai.warnings", "a run that is continued keeps its format, and says so", async () => {
  const tools = [{ type: "function", ...WEATHER }];
  const input = callsText([{ name: WEATHER.name, args: { city: "Bern" } }]);
  const first = created.parse((await respond({ model: "Caller", input, tools })).body);
  const callId = first.output.find(({ type }) => type === "function_call")?.["call_id"];
  const format = { type: "json_schema", name: "point", schema: POINT };
  const outputs = [{ type: "function_call_output", call_id: callId, output: "sunny" }];
  const next = await respond({ model: "Caller", input: outputs, tools, text: { format } });
  expect(next).toMatchObject({ status: 200, body: { previous_response_id: null } });
  expect(next.headers.get("x-warning")).toBe(
    "The run keeps the settings with which it began; without effect: text.format.schema.",
  );
});

verifies("openai.client-tools.choice", "allowed_tools offers only some of the tools, in both APIs", async () => {
  const caller = await scene.player(callingScript, { name: "Chooser" });
  const named = (name: string) => ({ ...WEATHER, name });
  const offered = () =>
    z
      .array(z.looseObject({ function: z.looseObject({ name: z.string() }) }))
      .parse(caller.calls().at(-1)?.body["tools"])
      .map((tool) => tool.function.name);
  await respond({
    model: "Chooser",
    tools: ["one", "two"].map((name) => ({ type: "function", ...named(name) })),
    tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "two" }] },
  });
  expect(offered()).toEqual(["two"]);
  await chat({
    model: "Chooser",
    tools: ["one", "two"].map((name) => ({ type: "function", function: named(name) })),
    tool_choice: {
      type: "allowed_tools",
      allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "one" } }] },
    },
  });
  expect([offered(), caller.calls().at(-1)?.body["tool_choice"]]).toEqual([["one"], "required"]);
});

verifies("openai.auth", "a key in api-key counts like the bearer one", async () => {
  await createAgent(scene.api, { name: "Azure" });
  const listed = (headers: Readonly<Record<string, string>>) =>
    send("GET", `${scene.service.url}/v1/models`, { headers });
  expect((await listed({ "api-key": scene.service.keys.api })).status).toBe(200);
  for (const key of ["", "nonsense", scene.service.keys.mcp]) {
    expect((await listed({ "api-key": key })).status).toBe(401);
  }
});
