import { beforeAll, expect } from "vitest";
import { readEvents, readResponse } from "../../support/open-responses/stream.ts";
import type { ResponseResource } from "../../support/open-responses/schema.ts";
import { clientOf } from "../../support/chat-tools.ts";
import { WEATHER } from "../../support/client-tools.ts";
import { inTurns, toolResults, useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedAgent, ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import { asked } from "../../support/scripted-provider.ts";
import { verifies } from "../../support/verifies.ts";

/** The scenarios of the compliance suite of Open Responses (src/lib/compliance-tests.ts there), as of November 2026. */

const WEATHER_QUESTION = "What's the weather like in San Francisco?";
/** A picture of one pixel. */
const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let scene: ScriptedWorkspace;
let guide: ScriptedAgent;

beforeAll(async () => {
  scene = await useScriptedService();
  guide = await scene.player(
    (call, reply) => {
      const question = asked(call);
      const [result] = toolResults(call);
      if (result !== undefined) reply.say(`It is ${result}.`);
      else if (question === WEATHER_QUESTION) reply.callTool(WEATHER.name, { city: "San Francisco" });
      else for (const piece of ["Heard: ", question]) reply.say(piece);
      reply.finish();
    },
    { name: "Open" },
  );
});

const user = (content: unknown) => ({ type: "message", role: "user", content });

function request(body: object) {
  return {
    url: `${scene.service.url}/v1/responses`,
    headers: { Authorization: `Bearer ${scene.service.keys.api}` },
    body: { model: "Open", ...body },
  };
}

const create = (body: object) => readResponse(request({ ...body, stream: false }));
const streamed = (body: object) => readEvents(request({ ...body, stream: true }));

function textOf({ output }: ResponseResource): string {
  return output.flatMap((item) => (item.type === "message" ? item.content.map(({ text }) => text) : [])).join("");
}

const tools = [{ type: "function", ...WEATHER }];

verifies("openai.open-responses", "basic response", async () => {
  const response = await create({ input: [user("Say hello in exactly 3 words.")] });
  expect(response).toMatchObject({ status: "completed", model: "Open", store: true, background: false });
  expect(response.completed_at).toBeGreaterThanOrEqual(response.created_at);
  expect(textOf(response)).toBe("Heard: Say hello in exactly 3 words.");
});

verifies("openai.open-responses", "streaming response", async () => {
  const { events, response } = await streamed({ input: [user("Count from 1 to 5.")] });
  expect(response.status).toBe("completed");
  expect(textOf(response)).toBe("Heard: Count from 1 to 5.");
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
});

verifies("openai.open-responses", "system prompt", async () => {
  const response = await create({
    input: [{ type: "message", role: "system", content: "You are a pirate." }, user("Say hello.")],
  });
  expect(response.status).toBe("completed");
  expect(
    guide
      .calls()
      .at(-1)
      ?.body.messages.map(({ content }) => content),
  ).toContain("You are a pirate.");
});

verifies("openai.open-responses", "tool calling, streamed or not", async () => {
  const body = { input: [user(WEATHER_QUESTION)], tools };
  const call = { type: "function_call", name: WEATHER.name, arguments: '{"city":"San Francisco"}' };
  const response = await create(body);
  expect(response.output).toMatchObject([call]);
  expect(response.tools).toEqual([{ type: "function", strict: null, ...WEATHER }]);
  const { events, response: whole } = await streamed(body);
  expect(whole.output).toMatchObject([call]);
  const types = events.map(({ type }) => type);
  expect(types.filter((type) => type.startsWith("response.function_call_arguments"))).toHaveLength(2);
  expect(events.find(({ type }) => type === "response.output_item.added")).toMatchObject({
    item: { type: "function_call", status: "in_progress" },
  });
  expect(events.find(({ type }) => type === "response.output_item.done")).toMatchObject({ item: call });
});

verifies("openai.open-responses", "image input", async () => {
  const response = await create({
    input: [
      user([
        { type: "input_text", text: "What do you see in this image?" },
        { type: "input_image", image_url: PIXEL },
      ]),
    ],
  });
  expect(response.status).toBe("completed");
  expect(guide.calls().at(-1)?.images).toEqual([PIXEL]);
});

verifies("openai.open-responses", "file input", async () => {
  const text = `data:text/plain;base64,${Buffer.from("Title: Fixture").toString("base64")}`;
  const response = await create({
    input: [
      user([
        { type: "input_text", text: "Answer with the file's title only." },
        { type: "input_file", filename: "fixture.txt", file_data: text },
      ]),
    ],
  });
  expect([response.status, textOf(response)]).toEqual(["completed", expect.stringContaining("Title: Fixture")]);
});

verifies("openai.open-responses", "function call round trip, with a forced call and without tools later", async () => {
  const choice = { type: "function", name: WEATHER.name };
  const asking = await create({ input: WEATHER_QUESTION, tools, tool_choice: choice });
  expect(asking.tool_choice).toEqual(choice);
  const [call] = asking.output.flatMap((item) => (item.type === "function_call" ? [item] : []));
  const output = { type: "function_call_output", call_id: call?.call_id, output: "64 degrees and clear" };
  const response = await create({ previous_response_id: asking.id, input: [output] });
  expect([response.status, textOf(response)]).toEqual(["completed", "It is 64 degrees and clear."]);
});

verifies("openai.open-responses", "previous response id", async () => {
  const first = await create({ input: "Remember this code word: papaya. Reply with only OK." });
  const second = await create({ previous_response_id: first.id, input: "What code word did I ask you to remember?" });
  expect(second).toMatchObject({ status: "completed", previous_response_id: first.id });
  const { messages } = guide.calls().at(-1)?.body ?? { messages: [] };
  expect(messages.map(({ content }) => content)).toContain("Remember this code word: papaya. Reply with only OK.");
});

verifies("openai.open-responses", "multi-turn conversation", async () => {
  const response = await create({
    input: [
      user("My name is Alice."),
      { type: "message", role: "assistant", content: "Hello Alice! Nice to meet you." },
      user("What is my name?"),
    ],
  });
  expect(response.status).toBe("completed");
  expect(
    guide
      .calls()
      .at(-1)
      ?.body.messages.map(({ role }) => role),
  ).toEqual(["system", "user", "assistant", "user"]);
});

verifies("openai.open-responses", "a failed, a cancelled and a waiting response have all required fields", async () => {
  const failing = await scene.player((_, reply) => reply.refuse(400, "No."), { name: "Failing" });
  const failed = await create({ model: "Failing", input: "x" });
  expect(failed).toMatchObject({ status: "failed", completed_at: null, error: { code: "server_error" }, output: [] });
  const { events } = await streamed({ model: "Failing", input: "x" });
  expect(events.at(-1)?.type).toBe("response.failed");
  expect(failing.calls().length).toBeGreaterThan(0);
  const hold = Promise.withResolvers<void>();
  await scene.player(() => hold.promise, { name: "Holding" });
  const waiting = await create({ model: "Holding", input: "x", background: true, store: true });
  expect(["queued", "in_progress"]).toContain(waiting.status);
  const { url, headers } = request({});
  const cancelled = await readResponse({ url: `${url}/${waiting.id}/cancel`, headers, body: {} });
  expect(cancelled).toMatchObject({ status: "cancelled", background: true });
  hold.resolve();
});

const CUT = { type: "message", status: "incomplete", content: [{ text: "One, two" }] };
const LEFT = { ...CUT, status: "in_progress" };

verifies(
  "openai.responses.cut",
  "the message that a failure interrupts stays in progress, streamed or not",
  async () => {
    await scene.player(
      inTurns(
        (reply) => {
          reply.say("One, two");
          reply.callTool("current_time", {});
        },
        (reply) => reply.refuse(400, "No."),
      ),
      { name: "Stumbling", tools: ["current_time"] },
    );
    const { events, response } = await streamed({ model: "Stumbling", input: "Count." });
    expect(events.map(({ type }) => type).slice(-2)).toEqual(["response.output_text.delta", "response.failed"]);
    expect(response).toMatchObject({ status: "failed", incomplete_details: null, output: [LEFT] });
    const { url, headers } = request({});
    expect(await readResponse({ url: `${url}/${response.id}`, headers })).toEqual(response);
  },
);

verifies(
  "openai.responses.cut",
  "so does one that is cancelled in the middle of its text, or of its reasoning",
  async () => {
    const hold = Promise.withResolvers<void>();
    /** Long enough for an event of its own: shorter reasoning waits for more. */
    const thought = "They want numbers. ".repeat(20);
    await scene.player(
      async (call, reply) => {
        reply.think(thought);
        if (asked(call) === "Count.") reply.say("One, two");
        await hold.promise;
      },
      { name: "Hanging", model: "gpt-6-luna", reasoning: { show: true }, temperature: null },
    );
    const { url, headers } = request({});
    const item = { type: "reasoning", summary: [{ text: thought }] };
    const cases = [
      { input: "Count.", last: "response.output_text.delta", output: [{ ...item, status: "completed" }, LEFT] },
      { input: "Think.", last: "response.reasoning_summary_text.delta", output: [{ ...item, status: "in_progress" }] },
    ];
    for (const { input, last, output } of cases) {
      const id = await cancelAt({ model: "Hanging", input }, last);
      const { events, response } = await readEvents({ url: `${url}/${id}?stream=true`, headers });
      expect(events.map(({ type }) => type).slice(-2)).toEqual([last, "response.failed"]);
      expect(response).toMatchObject({ status: "cancelled", error: null, incomplete_details: null, output });
      expect(await readResponse({ url: `${url}/${id}`, headers })).toEqual(response);
    }
    hold.resolve();
  },
);

/** Cancels a response at an event of its stream. Returns its id. */
async function cancelAt(body: { model: string; input: string }, type: string): Promise<string> {
  const client = clientOf(scene.service, scene.service.keys.api);
  let id = "";
  for await (const event of await client.responses.create({ ...body, stream: true })) {
    if (event.type === "response.created") id = event.response.id;
    if (event.type === type) await client.responses.cancel(id);
  }
  return id;
}

verifies("openai.responses.cut", "the message that the model had to cut is incomplete, streamed or not", async () => {
  await scene.player(
    (_, reply) => {
      reply.say("One, two");
      reply.finish("length");
    },
    { name: "Long-winded" },
  );
  const body = { model: "Long-winded", input: "Count." };
  expect(await create(body)).toMatchObject({ status: "incomplete", output: [CUT] });
  const { events, response } = await streamed(body);
  expect(events.slice(-2)).toMatchObject([{ item: CUT }, { type: "response.incomplete" }]);
  expect(response).toMatchObject({ status: "incomplete", output: [CUT] });
});
