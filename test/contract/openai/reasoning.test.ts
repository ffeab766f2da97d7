import type OpenAI from "openai";
import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { clientOf } from "../../support/chat-tools.ts";
import { readEvents, readResponse } from "../../support/open-responses/stream.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import type { Script } from "../../support/scripted-provider.ts";
import { verifies } from "../../support/verifies.ts";

const SHOWN = { model: "gpt-6-luna", reasoning: { show: true }, tools: ["current_time"], temperature: null };

const reasoning = z.looseObject({ summary: z.string().nullish(), effort: z.string().optional() });

let scene: ScriptedWorkspace;
let client: OpenAI;

/** Thinks, says something, calls a tool, thinks again, and answers. */
const thinker: Script = ({ turn }, reply) => {
  reply.think(turn === 0 ? "What do they " : "Now ");
  reply.think(turn === 0 ? "want?" : "I know.");
  reply.say(turn === 0 ? "One moment." : "It is noon.");
  if (turn === 0) reply.callTool("current_time", { time_zone: "UTC" });
  reply.finish();
};

beforeAll(async () => {
  scene = await useScriptedService();
  client = clientOf(scene.service, scene.service.keys.api);
  await scene.player(thinker, { name: "Open mind", ...SHOWN });
  await scene.player(thinker, { name: "Closed mind", ...SHOWN, reasoning: { show: false } });
});

const headers = () => ({ authorization: `Bearer ${scene.service.keys.api}` });
const url = (path: string) => `${scene.service.url}/v1/responses${path}`;
const summary = (text: string) => ({ type: "reasoning", summary: [{ type: "summary_text", text }] });

verifies("openai.reasoning", "reasoning items are in a response, and in it when it is read again", async () => {
  const body = { model: "Open mind", input: "What time is it?" };
  const response = await readResponse({ url: url(""), headers: headers(), body });
  expect(response).toMatchObject({
    reasoning: { effort: null, summary: "auto" },
    output: [summary("What do they want?"), { type: "message" }, summary("Now I know.")],
  });
  expect(await readResponse({ url: url(`/${response.id}`), headers: headers() })).toEqual(response);
});

verifies("openai.reasoning", "they are streamed with the events of summaries, and resumed", async () => {
  const body = { model: "Open mind", input: "What time is it?", stream: true };
  const { events, response } = await readEvents({ url: url(""), headers: headers(), body });
  const items = events.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item);
  expect(items).toMatchObject([summary("What do they want?"), summary("Now I know."), { type: "message" }]);
  expect(response.output).toMatchObject([summary("What do they want?"), { type: "message" }, summary("Now I know.")]);
  const added = events.filter(({ type }) => type === "response.output_item.added");
  expect(added.map(({ output_index }) => output_index)).toEqual([0, 1, 2]);
  const deltas = events.filter(({ type }) => type === "response.reasoning_summary_text.delta");
  expect(deltas.map(({ delta }) => delta).join("|")).toBe("What do they want?|Now I know.");
  const seen = deltas[0]?.sequence_number ?? 0;
  const rest = await readEvents({
    url: url(`/${response.id}?stream=true&starting_after=${seen}`),
    headers: headers(),
  });
  expect(rest.events).toEqual(events.slice(seen + 1));
});

verifies(
  "openai.reasoning",
  "an agent that hides its reasoning has none, and says that a summary is not given",
  async () => {
    const hidden = await client.responses
      .create({ model: "Closed mind", input: "What time is it?", reasoning: { summary: "auto" } })
      .withResponse();
    expect(hidden.data.output.map(({ type }) => type)).toEqual(["message"]);
    expect(hidden.response.headers.get("x-warning")).toContain("reasoning.summary");
    const { events } = await readEvents({
      url: url(""),
      headers: headers(),
      body: { model: "Closed mind", input: "What time is it?", stream: true },
    });
    expect(events.filter(({ type }) => type.includes("reasoning"))).toEqual([]);
  },
);

verifies("openai.reasoning", "completions have it as reasoning_content, streamed or not", async () => {
  const messages = [{ role: "user" as const, content: "What time is it?" }];
  const completion = await client.chat.completions.create({ model: "Open mind", messages });
  expect(completion.choices[0]?.message).toMatchObject({
    content: "It is noon.",
    reasoning_content: "What do they want?\n\nNow I know.",
  });
  const deltas: object[] = [];
  for await (const chunk of await client.chat.completions.create({ model: "Open mind", messages, stream: true })) {
    deltas.push(chunk.choices[0]?.delta ?? {});
  }
  expect(deltas).toContainEqual({ reasoning_content: "What do they want?" });
});

verifies("openai.summary", "the summary that a request asks for reaches the provider, for its run only", async () => {
  const asking = await scene.player(thinker, { name: "Summing mind", ...SHOWN });
  const sent = () => reasoning.parse(asking.calls().at(-1)?.body["reasoning"]);
  const ask = (wanted?: object) =>
    client.responses.create({ model: "Summing mind", input: "What time is it?", reasoning: wanted }).withResponse();
  const { data, response } = await ask({ summary: "detailed", effort: "low" });
  expect([data.reasoning, response.headers.get("x-warning")]).toEqual([{ effort: "low", summary: "detailed" }, null]);
  expect(sent()).toEqual({ effort: "low", summary: "detailed" });
  await ask({ summary: "concise" });
  expect(sent()).toEqual({ summary: "concise" });
  await ask();
  expect(sent()).toEqual({ summary: "auto" });
  await expect(ask({ summary: "short" })).rejects.toThrow(/reasoning\.summary/);
});

verifies("openai.summary", "where a model has one length of summaries, X-Warning says so", async () => {
  const own = { provider: "openai-compatible", model: "own-model", temperature: null };
  await scene.player(thinker, { name: "Own mind", ...SHOWN, ...own });
  const warningOf = async (summary: "auto" | "detailed") => {
    const asked = { model: "Own mind", input: "What time is it?", reasoning: { summary } };
    const { response } = await client.responses.create(asked).withResponse();
    return response.headers.get("x-warning");
  };
  expect(await warningOf("auto")).toBeNull();
  expect(await warningOf("detailed")).toContain("reasoning.summary");
});
