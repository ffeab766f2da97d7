import { expect, test } from "vitest";
import { createCatalogue } from "#domain/models/model-catalogue.ts";
import { createPriceList } from "#domain/models/prices.ts";
import type { ModelChunk, ModelMessage } from "#domain/models/model-call.ts";
import { plainParts, replyCalls } from "#domain/models/reply-parts.ts";
import type { ToolCall } from "#domain/models/reply-parts.ts";
import { verifies } from "../../test/support/verifies.ts";
import demo from "./demo.ts";

const client = await demo.connect({});

async function ask(messages: readonly ModelMessage[], signal = new AbortController().signal) {
  const chunks: ModelChunk[] = [];
  for await (const chunk of client.stream({ model: "demo", messages, tools: [], signal })) {
    chunks.push(chunk);
  }
  return {
    chunks,
    text: chunks.map((chunk) => (chunk.type === "text" ? chunk.delta : "")).join(""),
    calls: chunks.flatMap((chunk) => (chunk.type === "finish" ? replyCalls(chunk.parts) : [])),
  };
}

function user(content: string): ModelMessage {
  return { role: "user", content };
}

function called(...toolCalls: ToolCall[]): ModelMessage {
  return { role: "assistant", parts: plainParts("", toolCalls) };
}

function result(call: ToolCall, output: string, isError = false): ModelMessage {
  return { role: "tool", toolCallId: call.id, toolName: call.name, output, isError };
}

test("the plain answer opens with the mark and names the task", async () => {
  const { text } = await ask([user("Write a poem\nabout the sea [[slow:0]]")]);
  expect(text).toBe('Demo model (no AI): this is the answer to "Write a poem".');
});

test("an answer arrives word by word and then finishes once", async () => {
  const { chunks } = await ask([user("[[say:one two  three]][[slow:0]]")]);
  expect(chunks).toEqual([
    { type: "text", delta: "one" },
    { type: "text", delta: " two" },
    { type: "text", delta: "  three" },
    {
      type: "finish",
      parts: plainParts("one two  three"),
      end: { reason: "stop", raw: "stop" },
      usage: { promptTokens: 3, completionTokens: 3 },
    },
  ]);
});

test("a turn thinks before it speaks, and its thoughts are counted", async () => {
  const { chunks } = await ask([user("[[think:let me see]] [[say:done]][[slow:0]]")]);
  expect(chunks.map((chunk) => chunk.type)).toEqual(["reasoning", "reasoning", "reasoning", "text", "finish"]);
  expect(chunks.at(-1)).toMatchObject({
    parts: [
      { type: "reasoning", text: "let me see" },
      { type: "text", text: "done" },
    ],
    usage: { completionTokens: 4, reasoningTokens: 3 },
  });
});

verifies("providers.demo.deterministic", "the same messages give the same answer", async () => {
  const messages = [user('[[tool:a {"x":1}]]\n[[slow:0]]')];
  expect(await ask(messages)).toEqual(await ask(messages));
});

verifies(
  "providers.demo.tools",
  "each line with a tool directive is one turn, and the last answer repeats the results",
  async () => {
    const start = user('Sum up\n[[slow:0]]\n[[tool:fetch {"url":"http://a"}]]\n[[tool:clock]]');
    const first = await ask([start]);
    expect(first.calls).toEqual([{ id: "demo_1_1", name: "fetch", arguments: '{"url":"http://a"}' }]);
    const afterFirst = [start, called(...first.calls), ...first.calls.map((c) => result(c, "page"))];
    const second = await ask(afterFirst);
    expect(second.calls).toEqual([{ id: "demo_2_1", name: "clock", arguments: "{}" }]);
    const last = await ask([
      ...afterFirst,
      called(...second.calls),
      ...second.calls.map((call) => result(call, "no clock", true)),
    ]);
    expect(last.calls).toEqual([]);
    expect(last.text).toBe(
      'Demo model (no AI): this is the answer to "Sum up".\nTool results:\n- fetch: page\n- clock: failed: no clock',
    );
  },
);

verifies(
  "providers.demo.tools",
  "several tool directives on one line are parallel calls, after the text before them",
  async () => {
    const { text, calls } = await ask([
      user('[[say:Looking it up.]] [[tool:a {"list":[[1],[2]]}]] [[tool:b]] [[slow:0]]'),
    ]);
    expect(text).toBe("Looking it up.");
    expect(calls.map((call) => [call.name, call.arguments])).toEqual([
      ["a", '{"list":[[1],[2]]}'],
      ["b", "{}"],
    ]);
  },
);

test("arguments that are no JSON reach the tool as they were written", async () => {
  const { calls } = await ask([user("[[tool:a {oops]]")]);
  expect(calls.map((call) => call.arguments)).toEqual(["{oops"]);
});

test("directives are read from the last user message only", async () => {
  const { text } = await ask([
    user("[[tool:old]]"),
    { role: "assistant", parts: plainParts("done") },
    user("Next [[slow:0]]"),
  ]);
  expect(text).toContain('"Next"');
});

test("a fail directive fails with its message", async () => {
  await expect(ask([user("[[fail:No luck today]]")])).rejects.toMatchObject({
    name: "ModelError",
    kind: "request",
    message: "No luck today",
  });
});

test("a fail directive after a tool directive fails in the second turn", async () => {
  const start = user("[[tool:a]]\n[[fail:Too late]]\n[[slow:0]]");
  const { calls } = await ask([start]);
  await expect(ask([start, called(...calls), ...calls.map((call) => result(call, "ok"))])).rejects.toThrow("Too late");
});

test.each([0, 1, 4, 500])("an answer of %i words has that many words", async (count) => {
  const { chunks, text } = await ask([user(`[[words:${count}]] [[slow:0]]`)]);
  expect(chunks).toHaveLength(count + 1);
  expect(text.startsWith("Demo model (no AI):".slice(0, text.length))).toBe(true);
});

test("an invalid number is ignored", async () => {
  const { text } = await ask([user("Task [[words:-1]] [[slow:0]]")]);
  expect(text).toContain('"Task"');
});

test("the signal ends a slow answer immediately", async () => {
  const controller = new AbortController();
  const stream = client.stream({
    model: "demo",
    messages: [user("[[say:one two]] [[slow:60000]]")],
    tools: [],
    signal: controller.signal,
  });
  const next = stream[Symbol.asyncIterator]().next();
  controller.abort();
  await expect(next).rejects.toMatchObject({ kind: "aborted" });
});

test("a call with a signal that has fired says nothing", async () => {
  await expect(ask([user("[[slow:0]]")], AbortSignal.abort())).rejects.toMatchObject({
    kind: "aborted",
  });
});

verifies("providers.demo", "the demo model needs no key, no base URL and no money", () => {
  expect(demo).toMatchObject({ id: "demo", requiresKey: false, requiresBaseUrl: false });
  expect(createPriceList(createCatalogue([demo]), {}).costUsd("demo", { promptTokens: 1, completionTokens: 1 })).toBe(
    0,
  );
});

test("when the last message has no directives, those of an earlier one continue", async () => {
  const task = user("Talk.\n[[slow:0]]\n[[say:one]]\n[[say:two]]");
  const turn = user("It is your turn.");
  const said = (content: string): ModelMessage => ({ role: "assistant", parts: plainParts(content) });
  const texts = [
    await ask([task, user("Ben: hello"), turn]),
    await ask([task, said("one"), user("Ben: hello"), turn]),
    await ask([task, said("one"), said("two"), turn]),
    await ask([task, said("one"), user("[[say:mine]]")]),
  ].map(({ text }) => text);
  expect(texts).toEqual(["one", "two", expect.stringContaining("It is your turn."), "mine"]);
});

test("the service's message after a tool's result is followed", async () => {
  const start = user("[[slow:0]]\n[[tool:a]]\n[[tool:b]]");
  const { calls } = await ask([start]);
  const messages = [start, called(...calls), ...calls.map((call) => result(call, "done")), user("Answer now.")];
  expect(await ask(messages)).toMatchObject({ calls: [], text: expect.stringContaining("Answer now.") });
});

test.each([
  ["blanks", `a${" ".repeat(200_000)}`],
  ["openings that are not closed", "[[say:".repeat(40_000)],
  ["tool calls whose arguments are not closed", `${"[[tool:x {".repeat(40_000)}]]`],
  ["ends that close nothing", `[[tool:x {"a": "${"]]".repeat(40_000)}`],
  ["calls broken one after another", `${"[[tool:x {]]".repeat(20_000)}${"}".repeat(20_000)}`],
])("many %s cost no time", async (_, content) => {
  const begun = performance.now();
  await ask([user(`[[say:done]][[slow:0]]\n${content}`)]);
  expect(performance.now() - begun).toBeLessThan(2_000);
});

test("trailing blanks belong to the last word", async () => {
  const { chunks } = await ask([user(`[[slow:0]]\n[[say:one two${" ".repeat(100_000)}]]`)]);
  expect(chunks).toHaveLength(3);
});
