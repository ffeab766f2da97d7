import type { StepDetail } from "../runs/step-detail.ts";
import type { SentMessage } from "../runs/sent-request.ts";
import type { StepRow } from "../runs/step-row.ts";
import type { Attributes, AttributeValue } from "./span.ts";

// The names of OpenTelemetry's GenAI conventions: https://github.com/open-telemetry/semantic-conventions-genai,
// docs/gen-ai, v0.1.0. They are in development, and in no other file.

/** The name and attributes of a span. */
export interface Described {
  readonly name: string;
  readonly attributes: Attributes;
}

/** Names that the conventions give to providers; others keep ours. */
const PROVIDERS: Readonly<Record<string, string>> = {
  "amazon-bedrock": "aws.bedrock",
  "azure-openai": "azure.ai.openai",
  google: "gcp.gemini",
  "google-vertex": "gcp.vertex_ai",
  mistral: "mistral_ai",
  xai: "x_ai",
};

/** An agent at work. */
export interface WorkingAgent {
  readonly id: string;
  readonly name: string | undefined;
  readonly version?: number | null;
}

const MS_PER_SECOND = 1_000;
/** Longer texts are cut, so that a span stays within what receivers accept. */
const MAX_TEXT = 32_000;

/** Describes the work of an agent: a run, or its turn in a team's. */
export function describeAgent({ id, name, version }: WorkingAgent): Described {
  return {
    name: named("invoke_agent", name),
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.id": id,
      "gen_ai.agent.name": name,
      "gen_ai.agent.version": version == null ? undefined : String(version),
    },
  };
}

/** Describes the run of a team. */
export function describeTeam(name: string): Described {
  return {
    name: named("invoke_workflow", name),
    attributes: { "gen_ai.operation.name": "invoke_workflow", "gen_ai.workflow.name": name },
  };
}

/** The conversation that spans belong to: the run, whose attempts are its turns. */
export function conversationOf(runId: string): Attributes {
  return { "gen_ai.conversation.id": runId };
}

/** Describes a model call. */
export function describeModelCall(
  row: StepRow,
  { provider, finish }: { readonly provider: string | undefined; readonly finish: string },
): Described {
  const { model, started_at: start, first_token_at: first } = row;
  return {
    name: named("chat", model),
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": provider === undefined ? undefined : (PROVIDERS[provider] ?? provider),
      "gen_ai.request.model": model,
      "gen_ai.request.stream": true,
      "gen_ai.response.finish_reasons": row.error_code === undefined ? [finish] : undefined,
      "gen_ai.response.time_to_first_chunk":
        start === undefined || first === undefined ? undefined : { double: (first - start) / MS_PER_SECOND },
      "gen_ai.usage.input_tokens": int(row.prompt_tokens),
      "gen_ai.usage.output_tokens": int(row.completion_tokens),
      "gen_ai.usage.cache_read.input_tokens": int(row.cached_tokens),
      "gen_ai.usage.cache_creation.input_tokens": int(row.cache_write_tokens),
      "gen_ai.usage.reasoning.output_tokens": int(row.reasoning_tokens),
    },
  };
}

/** Describes a tool call. */
export function describeToolCall(row: StepRow, callId: string | undefined): Described {
  return {
    name: named("execute_tool", row.label),
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": row.label,
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": callId,
    },
  };
}

/** What was asked and answered in a step: only for receivers that may have it. */
export function describeContents({ request, reply, arguments: given, result }: Partial<StepDetail>): Attributes {
  const sent = request?.messages ?? [];
  const system = sent.flatMap((message) => (message.role === "system" ? [textPart(message.content)] : []));
  const parts = reply && [
    ...(reply.text === "" ? [] : [textPart(reply.text)]),
    ...reply.tool_calls.map(({ id, name, arguments: args }) => ({
      type: "tool_call",
      id,
      name,
      arguments: cut(args),
    })),
  ];
  return {
    "gen_ai.system_instructions": system.length === 0 ? undefined : JSON.stringify(system),
    "gen_ai.input.messages": request == null ? undefined : JSON.stringify(sent.flatMap(inputMessage)),
    "gen_ai.output.messages":
      reply == null ? undefined : JSON.stringify([{ role: "assistant", parts, finish_reason: reply.finish_reason }]),
    "gen_ai.tool.call.arguments": given == null ? undefined : cut(given),
    "gen_ai.tool.call.result": result == null ? undefined : cut(result),
  };
}

function inputMessage(message: SentMessage): object[] {
  switch (message.role) {
    case "system":
      return [];
    case "user":
      return [{ role: "user", parts: [textPart(message.content)] }];
    case "assistant": {
      const calls = message.toolCalls.map(({ id, name, arguments: args }) => ({
        type: "tool_call",
        id,
        name,
        arguments: cut(args),
      }));
      return [{ role: "assistant", parts: [...(message.content === "" ? [] : [textPart(message.content)]), ...calls] }];
    }
    case "tool": {
      const { toolCallId: id, output } = message;
      return [{ role: "tool", parts: [{ type: "tool_call_response", id, response: cut(output) }] }];
    }
  }
}

function textPart(content: string) {
  return { type: "text", content: cut(content) };
}

function cut(text: string): string {
  return text.slice(0, MAX_TEXT).toWellFormed();
}

function named(operation: string, name: string | undefined): string {
  return name === undefined || name === "" ? operation : `${operation} ${name}`;
}

function int(value: number | undefined): AttributeValue | undefined {
  return value === undefined ? undefined : { int: value };
}
