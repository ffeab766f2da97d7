import type OpenAI from "openai";
import { beforeAll, expect } from "vitest";
import { idsOf, send } from "../../support/api.ts";
import { clientOf } from "../../support/chat-tools.ts";
import { uploadTo } from "../../support/files.ts";
import { readEvents, readResponse } from "../../support/open-responses/stream.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedAgent, ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import { verifies } from "../../support/verifies.ts";
import { addWorkspace } from "../../support/workspace.ts";

const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const NOTE = `data:text/plain;base64,${Buffer.from("The key is blue.").toString("base64")}`;

/** Why the model's reply to a message is incomplete. */
const CUTS: ReadonlyMap<string, "length" | "content_filter"> = new Map([
  ["Too long", "length"],
  ["Too bold", "content_filter"],
]);

let scene: ScriptedWorkspace;
let client: OpenAI;
let guide: ScriptedAgent;

beforeAll(async () => {
  scene = await useScriptedService();
  client = clientOf(scene.service, scene.service.keys.api);
  guide = await scene.player(
    ({ body }, reply) => {
      const said = body.messages.filter(({ role }) => role !== "system").length;
      reply.say(`Heard ${said}.`);
      reply.finish(CUTS.get(body.messages.at(-1)?.content ?? ""));
    },
    { name: "Guide" },
  );
});

const headers = () => ({ authorization: `Bearer ${scene.service.keys.api}` });
const url = (path: string) => `${scene.service.url}/v1/responses${path}`;
const saidLast = () => guide.calls().at(-1)?.body.messages.slice(1) ?? [];
const input = (content: unknown) => [{ role: "user", content }];

verifies("openai.files", "images and files in Chat Completions reach the model", async () => {
  const upload = await uploadTo(scene.service, { name: "door.txt", type: "text/plain", content: "The door is red." });
  const completion = await client.chat.completions.create({
    model: "Guide",
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "First" },
          { type: "image_url", image_url: { url: PIXEL, detail: "low" } },
        ],
      },
      { role: "assistant", content: "I see." },
      {
        role: "user",
        content: [
          { type: "text", text: "Then" },
          { type: "file", file: { filename: "key.txt", file_data: NOTE } },
          { type: "file", file: { file_id: upload.id } },
        ],
      },
    ],
  });
  expect(completion.choices[0]?.message.content).toBe("Heard 3.");
  const [first, , then] = saidLast();
  expect([guide.calls().at(-1)?.images, first?.content]).toEqual([[PIXEL], expect.stringContaining("First")]);
  for (const text of ["key.txt", "The key is blue.", "door.txt", "The door is red."]) {
    expect(then?.content).toContain(text);
  }
});

verifies(
  "openai.files",
  "files of a response are in the conversation that continues it, and in its input",
  async () => {
    const content = [
      { type: "input_text", text: "Look" },
      { type: "input_image", image_url: PIXEL },
      { type: "input_file", filename: "key.txt", file_data: NOTE },
    ];
    const first = await readResponse({
      url: url(""),
      headers: headers(),
      body: { model: "Guide", input: input(content) },
    });
    const items = await client.responses.inputItems.list(first.id);
    expect(items.data).toMatchObject([
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "Look" },
          { type: "input_image", file_id: expect.any(String) },
          { type: "input_file", file_id: expect.any(String) },
        ],
      },
    ]);
    const next = await client.responses.create({ model: "Guide", input: "And now?", previous_response_id: first.id });
    expect(next.output_text).toBe("Heard 3.");
    expect([guide.calls().at(-1)?.images, saidLast()[0]?.content]).toEqual([
      [PIXEL],
      expect.stringContaining("The key is blue."),
    ]);
  },
);

verifies("openai.files", "the model that sees no images is said, and files of others are not found", async () => {
  await scene.player((_, reply) => void [reply.say("x"), reply.finish()], { name: "Blind", model: "gpt-3.5-turbo" });
  const blind = { model: "Blind", input: input([{ type: "input_image", image_url: PIXEL }]) };
  const answer = await send("POST", url(""), { headers: headers(), body: blind });
  expect([answer.status, answer.headers.get("x-warning")]).toEqual([200, expect.stringMatching(/gpt-3\.5-turbo/)]);
  const { key } = await addWorkspace(scene.service.databaseUrl);
  const upload = await uploadTo(
    { ...scene.service, keys: { ...scene.service.keys, api: key } },
    { name: "a.txt", type: "text/plain", content: "A" },
  );
  const foreign = { model: "Guide", input: input([{ type: "input_file", file_id: upload.id }]) };
  const refused = await send("POST", url(""), { headers: headers(), body: foreign });
  expect(refused).toMatchObject({ status: 400, body: { error: { param: "file_id" } } });
});

verifies("openai.empty-messages", "messages of the assistant without content are left out", async () => {
  const { choices } = await client.chat.completions.create({
    model: "Guide",
    messages: [
      { role: "user", content: "One" },
      { role: "assistant", content: null },
      { role: "assistant", content: null, refusal: "I may not." },
      { role: "user", content: "Two" },
    ],
  });
  expect(choices[0]?.message.content).toBe("Heard 3.");
  expect(saidLast().map(({ content }) => content)).toEqual(["One", "I may not.", "Two"]);
});

verifies(
  "openai.foreign-calls",
  "results of another service's calls continue a conversation that has them",
  async () => {
    const call = {
      id: "call_of_openai",
      type: "function" as const,
      function: { name: "look", arguments: '{"at":"sky"}' },
    };
    const { choices } = await client.chat.completions.create({
      model: "Guide",
      messages: [
        { role: "user", content: "Look" },
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: call.id, content: "clouds" },
      ],
    });
    expect(choices[0]?.message.content).toBe("Heard 3.");
    expect(saidLast()).toMatchObject([
      { role: "user", content: "Look" },
      { role: "assistant", tool_calls: [{ function: call.function }] },
      { role: "tool", content: "clouds" },
    ]);
    const { id, function: called } = call;
    const response = await client.responses.create({
      model: "Guide",
      input: [
        { role: "user", content: "Look" },
        { type: "function_call", call_id: id, ...called },
        { type: "function_call_output", call_id: id, output: "clouds" },
      ],
    });
    expect(response.output_text).toBe("Heard 3.");
  },
);

verifies("openai.responses.echo", "a response repeats its request, also when it is read again", async () => {
  const request = {
    model: "Guide",
    input: "One",
    instructions: "Be brief.",
    metadata: { ticket: "42" },
    safety_identifier: "ada",
    parallel_tool_calls: false,
    tool_choice: "none" as const,
  };
  const response = await client.responses.create(request);
  expect(response).toMatchObject({
    instructions: "Be brief.",
    metadata: { ticket: "42" },
    safety_identifier: "ada",
    parallel_tool_calls: false,
    tool_choice: "none",
    temperature: 0.7,
  });
  const { _request_id: _, ...made } = response;
  const read = await readResponse({ url: url(`/${response.id}`), headers: headers() });
  const { output_text: _text, ...same } = made;
  expect(read).toEqual(same);
  expect(idsOf(await scene.api.get("/api-tasks"))).toContain(response.id.slice("resp_".length));
});

verifies("openai.responses.store", "a response with store: false is not found by its id", async () => {
  const body = { model: "Guide", input: "One", store: false };
  const { id, store } = await readResponse({ url: url(""), headers: headers(), body });
  expect(store).toBe(false);
  const missing = { status: 404 };
  await expect(client.responses.retrieve(id)).rejects.toMatchObject(missing);
  await expect(client.responses.inputItems.list(id)).rejects.toMatchObject(missing);
  await expect(client.responses.delete(id)).rejects.toMatchObject(missing);
  const next = { model: "Guide", input: "Two", previous_response_id: id };
  await expect(client.responses.create(next)).rejects.toMatchObject(missing);
  const { response } = await readEvents({
    url: url(""),
    headers: headers(),
    body: { model: "Guide", input: "Three", store: false, stream: true },
  });
  expect(response).toMatchObject({ status: "completed", store: false });
});

verifies("openai.responses.delete", "a deleted response is not found any more, by its workspace only", async () => {
  const { id } = await client.responses.create({ model: "Guide", input: "One" });
  const { key } = await addWorkspace(scene.service.databaseUrl);
  const stranger = clientOf(scene.service, key);
  await expect(stranger.responses.delete(id)).rejects.toMatchObject({ status: 404 });
  await expect(stranger.responses.inputItems.list(id)).rejects.toMatchObject({ status: 404 });
  const answer = await send("DELETE", url(`/${id}`), { headers: headers() });
  expect([answer.status, answer.body]).toEqual([200, { id, object: "response", deleted: true }]);
  await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  await expect(client.responses.delete(id)).rejects.toMatchObject({ status: 404 });
  expect(idsOf(await scene.api.get("/api-tasks"))).not.toContain(id.slice("resp_".length));
});

verifies("openai.responses.input-items", "the input of a response is listed by pages, in both orders", async () => {
  const texts = ["One", "1", "Two"];
  const items = texts.map((content, index) => ({
    role: index === 1 ? ("assistant" as const) : ("user" as const),
    content,
  }));
  const { id } = await client.responses.create({ model: "Guide", input: items });
  const textsOf = async (query: OpenAI.Responses.InputItemListParams) => {
    const listed = [];
    for await (const item of client.responses.inputItems.list(id, query)) {
      if (item.type === "message") listed.push(item.content.map((part) => ("text" in part ? part.text : "")).join(""));
    }
    return listed;
  };
  expect(await textsOf({ order: "asc", limit: 1 })).toEqual(texts);
  expect(await textsOf({})).toEqual(texts.toReversed());
  for (const [query, status] of [
    ["?limit=0", 400],
    ["?order=up", 400],
    ["?after=item_1", 400],
  ] as const) {
    expect((await send("GET", url(`/${id}/input_items${query}`), { headers: headers() })).status).toBe(status);
  }
});

verifies(
  "openai.responses.incomplete",
  "a reply that was cut makes an incomplete response, streamed or not",
  async () => {
    for (const [input, reason] of [
      ["Too long", "max_output_tokens"],
      ["Too bold", "content_filter"],
    ] as const) {
      const cut = { status: "incomplete", incomplete_details: { reason } };
      const body = { model: "Guide", input };
      const response = await readResponse({ url: url(""), headers: headers(), body });
      expect(response).toMatchObject({ ...cut, output: [{ content: [{ text: "Heard 1." }] }] });
      const streamed = await readEvents({ url: url(""), headers: headers(), body: { ...body, stream: true } });
      expect([streamed.events.at(-1)?.type, streamed.response]).toMatchObject(["response.incomplete", cut]);
    }
  },
);
