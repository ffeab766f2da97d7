import type OpenAI from "openai";
import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf } from "../../support/api.ts";
import { clientOf } from "../../support/chat-tools.ts";
import { readEvents, readResponse } from "../../support/open-responses/stream.ts";
import type { StreamedEvent } from "../../support/open-responses/stream.ts";
import { inTurns, useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import { verifies } from "../../support/verifies.ts";
import { taskIn } from "../../support/work.ts";

const details = z.object({
  reason: z.literal("waiting_for_input"),
  interaction_id: z.uuid(),
  answer_url: z.url(),
  next_response_id: z.string(),
});

let scene: ScriptedWorkspace;
let client: OpenAI;

beforeAll(async () => {
  scene = await useScriptedService();
  client = clientOf(scene.service, scene.service.keys.api);
  await scene.player(
    inTurns(
      (reply) => {
        reply.say("I could publish it.");
        reply.callTool("request_approval", { title: "Publish it?", description: "It is final." });
      },
      (reply) => reply.say("It is published."),
    ),
    { name: "Publisher", tools: ["request_approval"] },
  );
});

const headers = () => ({ authorization: `Bearer ${scene.service.keys.api}` });
const url = (path: string) => `${scene.service.url}/v1/responses${path}`;

function answer(taskId: string, interactionId: string) {
  return consoleOf(scene.service, scene.service.keys.api).post(`/tasks/${taskId}/answer`, {
    interactionId,
    approved: true,
  });
}

const notice = (taskId: string) =>
  `I could publish it.\n\nPublish it?\n\nIt is final.\n\nThe run waits for a person's answer: ${scene.service.url}/r/${taskId}/answer`;

verifies("openai.questions", "a response ends as incomplete; the next one has the rest", async () => {
  const body = { model: "Publisher", input: "Go" };
  const asking = await readResponse({ url: url(""), headers: headers(), body });
  const taskId = asking.id.slice("resp_".length);
  const { interaction_id, answer_url, next_response_id } = details.parse(asking.incomplete_details);
  expect(answer_url).toBe(`${scene.service.url}/r/${taskId}/answer`);
  expect(asking).toMatchObject({
    status: "incomplete",
    output: [{ content: [{ text: notice(taskId) }] }],
    usage: { total_tokens: 18 },
  });
  const next = await client.responses.retrieve(next_response_id);
  expect(next).toMatchObject({ status: "in_progress", previous_response_id: asking.id });
  await taskIn(scene.api, taskId, "waiting_for_input");
  expect((await answer(taskId, interaction_id)).status).toBe(200);
  await taskIn(scene.api, taskId, "completed");
  const rest = await readResponse({ url: url(`/${next_response_id}`), headers: headers() });
  expect(rest).toMatchObject({
    status: "completed",
    output: [{ content: [{ text: "It is published." }] }],
    usage: { total_tokens: 18 },
  });
  expect(await readResponse({ url: url(`/${asking.id}`), headers: headers() })).toEqual(asking);
  const after = await client.responses.create({ model: "Publisher", input: "And?", previous_response_id: asking.id });
  expect(after).toMatchObject({ status: "completed", previous_response_id: asking.id });
});

verifies(
  ["openai.questions", "openai.responses.sequence"],
  "a streamed response ends so as well, and its events are the same for each reader",
  async () => {
    const body = { model: "Publisher", input: "Go on", stream: true };
    const { events, response } = await readEvents({ url: url(""), headers: headers(), body });
    const taskId = response.id.slice("resp_".length);
    expect(events.at(-1)?.type).toBe("response.incomplete");
    expect(response.output).toMatchObject([{ content: [{ text: notice(taskId) }] }]);
    const { interaction_id, next_response_id } = details.parse(response.incomplete_details);
    const rest = readEvents({ url: url(`/${next_response_id}?stream=true`), headers: headers() });
    await taskIn(scene.api, taskId, "waiting_for_input");
    await answer(taskId, interaction_id);
    const { events: later, response: end } = await rest;
    expect(end.output).toMatchObject([{ content: [{ text: "It is published." }] }]);
    for (const [id, all] of [
      [response.id, events],
      [next_response_id, later],
    ] as const) {
      expect(all.map((event) => event.sequence_number)).toEqual(all.map((_, index) => index));
      for (const seen of [0, 3, all.length - 2]) {
        const again = await readEvents({ url: url(`/${id}?stream=true&starting_after=${seen}`), headers: headers() });
        expect(again.events.map(withoutResponse)).toEqual(all.slice(seen + 1).map(withoutResponse));
      }
    }
  },
);

verifies("openai.questions", "a chat completion says where the person answers, streamed or not", async () => {
  const request = { model: "Publisher", messages: [{ role: "user" as const, content: "Chat" }] };
  const completion = await client.chat.completions.create(request);
  const [choice] = completion.choices;
  expect([choice?.finish_reason, choice?.message.content]).toEqual([
    "stop",
    notice(completion.id.slice("chatcmpl-".length)),
  ]);
  let text = "";
  let id = "";
  for await (const chunk of await client.chat.completions.create({ ...request, stream: true })) {
    text += chunk.choices[0]?.delta.content ?? "";
    id = chunk.id.slice("chatcmpl-".length);
  }
  expect(text).toBe(notice(id));
});

verifies("openai.questions", "a question in a team's run ends the reply of the team as well", async () => {
  const asker = await scene.player(
    inTurns(
      (reply) => reply.callTool("request_approval", { title: "May we?", description: "" }),
      (reply) => reply.say("We did."),
    ),
    { tools: ["request_approval"] },
  );
  const steps = [{ agent_id: asker.id, step_name: "Only", instructions: "Ask." }];
  await scene.api.post("/api-teams", { name: "Askers", mode: "pipeline", config: { steps } });
  const body = { model: "Askers", input: "Go" };
  const asking = await readResponse({ url: url(""), headers: headers(), body });
  const taskId = asking.id.slice("resp_".length);
  const { interaction_id, next_response_id } = details.parse(asking.incomplete_details);
  expect(asking).toMatchObject({ status: "incomplete", usage: { total_tokens: 18 } });
  await answer(taskId, interaction_id);
  await taskIn(scene.api, taskId, "completed");
  const rest = await readResponse({ url: url(`/${next_response_id}`), headers: headers() });
  expect(rest).toMatchObject({
    status: "completed",
    output: [{ content: [{ text: expect.stringContaining("We did.") }] }],
    usage: { total_tokens: 18 },
  });
  expect(await readResponse({ url: url(`/${asking.id}`), headers: headers() })).toEqual(asking);
});

verifies(
  ["openai.questions", "openai.responses.cancel"],
  "a response whose question stays unanswered ends as its run does, a replayed stream as it ended",
  async () => {
    const body = { model: "Publisher", input: "Stop", stream: true };
    const { events, response: asking } = await readEvents({ url: url(""), headers: headers(), body });
    const { next_response_id } = details.parse(asking.incomplete_details);
    const end = {
      status: "cancelled",
      incomplete_details: null,
      completed_at: null,
      output: [{ status: "in_progress", content: [{ text: "I could publish it." }] }],
      usage: { total_tokens: 18 },
    };
    await taskIn(scene.api, asking.id.slice("resp_".length), "waiting_for_input");
    expect(await readResponse({ url: url(`/${asking.id}/cancel`), headers: headers(), body: {} })).toMatchObject(end);
    expect(await readResponse({ url: url(`/${asking.id}`), headers: headers() })).toMatchObject(end);
    const rest = await readEvents({ url: url(`/${next_response_id}?stream=true`), headers: headers() });
    expect([rest.events.at(-1)?.type, rest.response.status]).toEqual(["response.failed", "cancelled"]);
    const again = await readEvents({ url: url(`/${asking.id}?stream=true&starting_after=1`), headers: headers() });
    expect(again.events.map(withoutResponse)).toEqual(events.slice(2).map(withoutResponse));
    expect(again.response).toMatchObject({ status: "incomplete", incomplete_details: asking.incomplete_details });
  },
);

verifies(
  "openai.questions",
  "an answered question still ends its response when the run is cancelled later",
  async () => {
    const asker = inTurns(
      (reply) => reply.callTool("request_approval", { title: "One?", description: "" }),
      (reply) => reply.callTool("request_approval", { title: "Two?", description: "" }),
    );
    await scene.player(asker, { name: "Twice", tools: ["request_approval"] });
    const first = await readResponse({ url: url(""), headers: headers(), body: { model: "Twice", input: "Go" } });
    const taskId = first.id.slice("resp_".length);
    const { interaction_id, next_response_id } = details.parse(first.incomplete_details);
    await taskIn(scene.api, taskId, "waiting_for_input");
    const rest = readEvents({ url: url(`/${next_response_id}?stream=true`), headers: headers() });
    await answer(taskId, interaction_id);
    expect((await rest).response.status).toBe("incomplete");
    await taskIn(scene.api, taskId, "waiting_for_input");
    const second = await readResponse({ url: url(`/${next_response_id}/cancel`), headers: headers(), body: {} });
    expect(second).toMatchObject({ status: "cancelled", incomplete_details: null });
    expect(await readResponse({ url: url(`/${first.id}`), headers: headers() })).toEqual(first);
  },
);

/** What an event says itself; the state of the response in it may have changed. */
function withoutResponse(event: StreamedEvent) {
  return { ...event, response: undefined };
}
