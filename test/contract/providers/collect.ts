import type { ModelChunk, ModelClient, ModelMessage, ModelRequest } from "#domain/models/model-call.ts";
import { plainParts, replyCalls } from "#domain/models/reply-parts.ts";
import type { ToolCall } from "#domain/models/reply-parts.ts";

/** A conversation in which a tool was called, with everything that a request can carry. */
export const PROBE = {
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "What time is it?" },
    {
      role: "assistant",
      parts: plainParts("Let me look.", [
        { id: "call_1", name: "clock", arguments: '{"zone":"UTC"}' },
        { id: "call_2", name: "clock", arguments: '{"zone":"CET"}' },
      ]),
    },
    { role: "tool", toolCallId: "call_1", toolName: "clock", output: "12:00", isError: false },
    {
      role: "tool",
      toolCallId: "call_2",
      toolName: "clock",
      output: "no such zone",
      isError: true,
    },
  ],
  tools: [
    {
      name: "clock",
      description: "Tells the time.",
      inputSchema: {
        type: "object",
        properties: { zone: { type: "string" } },
        required: ["zone"],
        additionalProperties: false,
      },
    },
  ],
  temperature: 0.25,
  maxTokens: 77,
} satisfies Omit<ModelRequest, "model" | "signal">;

/** A request that asks one question. */
export function question(model: string, content: string): ModelRequest {
  return {
    model,
    messages: [{ role: "user", content }],
    tools: [],
    signal: new AbortController().signal,
  };
}

/** A request that continues after these messages, with the probe's tools. */
export function followUp(model: string, messages: readonly ModelMessage[]): ModelRequest {
  return { ...question(model, ""), messages, tools: PROBE.tools };
}

/** Everything that an answer streams. */
export async function collect(client: ModelClient, request: ModelRequest): Promise<ModelChunk[]> {
  const chunks: ModelChunk[] = [];
  for await (const chunk of client.stream(request)) {
    chunks.push(chunk);
  }
  return chunks;
}

/** What an answer streams before it fails, and the error. */
export async function collectFailure(client: ModelClient, request: ModelRequest) {
  const chunks: ModelChunk[] = [];
  try {
    for await (const chunk of client.stream(request)) {
      chunks.push(chunk);
    }
  } catch (error) {
    return { chunks, error };
  }
  throw new Error("The call was expected to fail.");
}

/** The tool calls of an answer. */
export function callsOf(chunks: readonly ModelChunk[]): readonly ToolCall[] {
  return chunks.flatMap((chunk) => (chunk.type === "finish" ? replyCalls(chunk.parts) : []));
}

/** The text of an answer. */
export function textOf(chunks: readonly ModelChunk[]): string {
  return chunks.map((chunk) => (chunk.type === "text" ? chunk.delta : "")).join("");
}
