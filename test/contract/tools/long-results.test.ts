import { afterAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf, fieldsOf, listOf, send } from "../../support/api.ts";
import { WEATHER } from "../../support/client-tools.ts";
import { createTextTool, startTexts } from "../../support/long-run.ts";
import { inTurns, toolResults, useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { Move, ScriptedAgent } from "../../support/providers/scripted-agents.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, taskIn } from "../../support/work.ts";

const LENGTH = 90_000;
const texts = await startTexts(LENGTH);
const scene = await useScriptedService();
const tool = await createTextTool(scene.service, texts);

afterAll(() => texts.close());

const SHOWN =
  /^(?:word )+\n\n\[These are the first 60000 of 90000 characters\. All of it is stored as (\S+); read_result reads more: \{"id":"\S+","from":60000\}\.\]$/;

/** The tools that each call of an agent was offered. */
function offered(agent: ScriptedAgent): readonly string[] {
  const named = z.looseObject({ function: z.looseObject({ name: z.string() }) });
  const body = z.looseObject({ tools: z.array(named).default([]) });
  return agent.calls().map((call) =>
    body
      .parse(call.body)
      .tools.map((each) => each.function.name)
      .join(),
  );
}

async function runOf(agent: ScriptedAgent) {
  const { id } = await createTask(scene.api, { assigned_agent_id: agent.id });
  return taskIn(scene.api, id, "completed");
}

verifies(
  ["long-conversations.results.stored", "long-conversations.results.offered"],
  "the model reads a long result in parts, and the task has it as a file",
  async () => {
    let stored = "";
    const agent = await scene.player(
      inTurns(
        (reply) => reply.callTool("read_part", '{"part":7}', "long"),
        (reply, call) => {
          stored = SHOWN.exec(toolResults(call).at(-1) ?? "")?.[1] ?? "";
          reply.callTool("read_result", JSON.stringify({ id: stored, from: LENGTH - 20 }), "more");
        },
        (reply) => reply.callTool("read_result", JSON.stringify({ id: stored, from: 5, length: 4 }), "few"),
        (reply) => reply.callTool("read_result", JSON.stringify({ id: stored, from: LENGTH }), "beyond"),
      ),
      { tools: [tool] },
    );
    const end = await runOf(agent);
    const [long, more, few, beyond] = toolResults(agent.calls().at(-1));
    expect(long).toMatch(SHOWN);
    expect(more).toBe(`[Characters ${LENGTH - 20} to ${LENGTH} of ${LENGTH}]\nwo end of {"part":7}`);
    expect(few).toBe("[Characters 5 to 9 of 90000]\nword");
    expect(beyond).toContain("has only 90000 characters");
    expect(offered(agent)).toEqual(["read_part", ...Array.from({ length: 4 }, () => "read_part,read_result")]);
    const answer = await send("GET", `${scene.service.url}/files?task_id=${end.id}`, {
      headers: { "x-api-key": scene.service.keys.api },
    });
    const files = listOf(answer);
    expect(files).toMatchObject([{ id: stored, name: "read_part.txt", type: "text/plain", size: LENGTH }]);

    const asked = await send("POST", `${scene.service.url}/v1/responses`, {
      headers: { authorization: `Bearer ${scene.service.keys.api}` },
      body: { model: agent.id, previous_response_id: `resp_${end.id}`, input: "And now?" },
    });
    expect([asked.status, offered(agent).at(-1)]).toEqual([200, "read_part,read_result"]);
  },
);

verifies("long-conversations.results.own", "a result of another run is not read", async () => {
  let id = "";
  const first = await scene.player(
    inTurns(
      (reply) => reply.callTool("read_part", '{"part":8}', "long"),
      (reply, call) => {
        id = SHOWN.exec(toolResults(call).at(-1) ?? "")?.[1] ?? "";
        reply.say("Done.");
      },
    ),
    { tools: [tool] },
  );
  await runOf(first);
  const other = await scene.player(
    inTurns((reply) => reply.callTool("read_result", JSON.stringify({ id }), "foreign")),
    { tools: [tool] },
  );
  await runOf(other);
  expect([id, toolResults(other.calls().at(-1))]).toEqual([
    expect.stringMatching(/^[\da-f-]{36}$/),
    [`{"error":"There is no stored result with this id in this conversation."}`],
  ]);
});

const LONG = `${"word ".repeat(LENGTH / 5 - 2)}the end...`;
const respond = async (agent: ScriptedAgent, body: object) => {
  const headers = { authorization: `Bearer ${scene.service.keys.api}` };
  const answer = await send("POST", `${scene.service.url}/v1/responses`, {
    headers,
    body: { model: agent.id, ...body },
  });
  return replied.parse(answer.body);
};
const replied = z.looseObject({
  id: z.string(),
  status: z.literal("completed"),
  output: z.array(z.looseObject({ type: z.string(), call_id: z.string().optional() })),
});

/** Reads the end of the stored result that the model was shown. */
const readsEnd: Move = (reply, call) => {
  const [id] = toolResults(call).flatMap((result) => SHOWN.exec(result)?.[1] ?? []);
  reply.callTool("read_result", JSON.stringify({ id, from: LENGTH - 10 }), "rest");
};

verifies("long-conversations.results.given", "a long result of the client's own tool is stored as well", async () => {
  const agent = await scene.player(
    inTurns(
      (reply) => {
        reply.callTool("get_weather", { city: "Bern" }, "short");
        reply.callTool("get_weather", { city: "Rome" }, "long");
      },
      readsEnd,
      (reply) => reply.say("Read."),
      readsEnd,
    ),
  );
  const tools = [{ type: "function", ...WEATHER }];
  const first = await respond(agent, { input: "Go", tools });
  const ids = first.output.flatMap(({ call_id }) => call_id ?? []);
  const outputs = ["sunny", LONG].map((output, n) => ({ type: "function_call_output", call_id: ids[n], output }));
  const second = await respond(agent, { input: outputs, tools });
  const [short, long, rest] = toolResults(agent.calls().at(-1));
  expect([short, long, rest]).toEqual([
    "sunny",
    expect.stringMatching(SHOWN),
    expect.stringMatching(/\nthe end\.\.\.$/),
  ]);
  const task = fieldsOf(await scene.api.get(`/api-tasks?id=${first.id.slice("resp_".length)}`));
  expect(task["attachments"]).toMatchObject([{ name: "get_weather.txt", size: LENGTH, direction: "output" }]);

  await respond(agent, { input: "And now?", previous_response_id: second.id });
  const again = toolResults(agent.calls().at(-1));
  expect(again.slice(0, 3)).toEqual([short, long, rest]);
  expect(again.at(-1)).toMatch(/\nthe end\.\.\.$/);
});

verifies("long-conversations.results.given", "so is one of another service's call in the conversation", async () => {
  const agent = await scene.player(inTurns((reply) => reply.say("Unused."), readsEnd));
  await respond(agent, {
    input: [
      { role: "user", content: "Go" },
      { type: "function_call", call_id: "foreign", name: "look_up", arguments: "{}" },
      { type: "function_call_output", call_id: "foreign", output: LONG },
    ],
  });
  const [shown, rest] = toolResults(agent.calls().at(-1));
  expect([shown, rest]).toEqual([expect.stringMatching(SHOWN), expect.stringMatching(/\nthe end\.\.\.$/)]);
});

verifies("long-conversations.results.given", "so is the long answer of a person", async () => {
  const agent = await scene.player(
    inTurns((reply) => reply.callTool("request_input", { title: "Tell", description: "All." }, "ask")),
    { tools: ["request_input"] },
  );
  const { id } = await createTask(scene.api, { assigned_agent_id: agent.id });
  const question = z.object({ interactionId: z.uuid() });
  const { interactionId } = question.parse((await taskIn(scene.api, id, "waiting_for_input"))["interaction"]);
  const person = consoleOf(scene.service, scene.service.keys.api);
  expect((await person.post(`/tasks/${id}/answer`, { interactionId, text: LONG })).status).toBe(200);
  await taskIn(scene.api, id, "completed");
  expect(toolResults(agent.calls().at(-1))[0]).toMatch(/\n\n\[These are the first 60000 of 90\d{3} characters/);
  expect(offered(agent).at(-1)).toBe("read_result,request_input");
});
