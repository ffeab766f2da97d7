import { expect, test } from "vitest";
import type { ModelMessage, ModelRequest } from "#domain/models/model-call.ts";
import { plainParts } from "#domain/models/reply-parts.ts";
import type { ToolCall } from "#domain/models/reply-parts.ts";
import { toCallOptions } from "./prompt.ts";

function request(fields: Partial<ModelRequest>): ModelRequest {
  return {
    model: "m",
    messages: [],
    tools: [],
    signal: new AbortController().signal,
    ...fields,
  };
}

function promptOf(...messages: ModelMessage[]) {
  return toCallOptions(request({ messages })).prompt;
}

function call(fields: Partial<ToolCall> = {}): ToolCall {
  return { id: "1", name: "clock", arguments: "{}", ...fields };
}

test("fields that a request omits are omitted from the call", () => {
  expect(Object.keys(toCallOptions(request({})))).toEqual(["prompt", "abortSignal"]);
});

test("a temperature of 0 is kept", () => {
  expect(toCallOptions(request({ temperature: 0 }))).toMatchObject({ temperature: 0 });
});

test("the results of parallel calls share one message", () => {
  const result = { role: "tool", toolName: "clock", output: "12:00", isError: false } as const;
  const prompt = promptOf(
    { role: "assistant", parts: plainParts("", [call(), call({ id: "2" })]) },
    { ...result, toolCallId: "1" },
    { ...result, toolCallId: "2" },
  );
  expect(prompt.map((message) => [message.role, message.content.length])).toEqual([
    ["assistant", 2],
    ["tool", 2],
  ]);
});

test("an assistant message without text and calls is left out", () => {
  expect(promptOf({ role: "assistant", parts: plainParts("", []) })).toEqual([]);
});

test.each(["{oops", '"text"', "[1]", "null"])("arguments that are no JSON object are wrapped: %s", (text) => {
  expect(promptOf({ role: "assistant", parts: plainParts("", [call({ arguments: text })]) })).toMatchObject([
    { content: [{ input: { malformed_arguments: text } }] },
  ]);
});

test("provider data is sent back with its call", () => {
  const providerData = { google: { thoughtSignature: "signed" } };
  expect(promptOf({ role: "assistant", parts: plainParts("", [call({ providerData })]) })).toMatchObject([
    { content: [{ providerOptions: providerData }] },
  ]);
});

test("a tool whose input is not described as an object is rejected by name", () => {
  const tools = [{ name: "odd", description: "", inputSchema: { type: "string" } }];
  expect(() => toCallOptions(request({ tools }))).toThrow("tool odd must describe an object");
});
