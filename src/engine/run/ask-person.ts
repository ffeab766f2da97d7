import { z } from "zod";
import { approvalTools, approversOf } from "#domain/agents/agent.ts";
import type { Answer } from "#domain/tasks/answer.ts";
import { question, timeoutMs } from "#domain/tasks/interaction.ts";
import type { Prompt, Question } from "#domain/tasks/interaction.ts";
import type { ToolCall } from "#domain/models/reply-parts.ts";
import { describeCall } from "#domain/tools/describe-call.ts";
import type { AgentSnapshot } from "#domain/tasks/run-job.ts";
import { findUnstorable } from "#domain/storable.ts";
import type { Pause, Tool, ToolOutput } from "#tools/define-tool.ts";
import { errorResult } from "./tool-result.ts";
import type { ToolResult } from "./tool-result.ts";

const MAX_NAME_SHOWN = 128;

/** Parses a recorded {@link OpenQuestion}. */
export const openQuestion = z.object({
  question,
  toolCallId: z.string(),
  /**
   * What the answer is used for: approval of the tool call, the call's result, another execution of the tool, or the
   * results of a client's tools.
   */
  purpose: z.enum(["approval", "result", "pause", "client"]),
  /** How many questions of the same call were answered before. */
  round: z.int().optional(),
});

/** A question that a tool call must ask before it can continue. */
export type OpenQuestion = Readonly<z.output<typeof openQuestion>>;

/** The key of the answer in the run's journal. */
export function answerKey({ purpose, toolCallId, round }: OpenQuestion): string {
  return `answer:${purpose}:${toolCallId}${round === undefined ? "" : `:${round}`}`;
}

/** Whether the agent needs approval to use this tool. */
export function needsApproval({ config }: AgentSnapshot, { name, listedAs = name }: Tool): boolean {
  return approvalTools(config).some((marked) => marked === name || marked === listedAs);
}

/** The question that asks the agent's approvers to approve a call. */
export function requestApproval({ config }: AgentSnapshot, call: ToolCall): OpenQuestion {
  const prompt = approvalPrompt(call);
  return {
    question: { kind: "prompt", prompt, timeoutMs: timeoutMs.parse(undefined), approvers: approversOf(config) },
    toolCallId: call.id,
    purpose: "approval",
  };
}

/** What people are asked about a call: its tool and its arguments. */
export function approvalPrompt({ name, arguments: json }: ToolCall): Extract<Prompt, { type: "approval" }> {
  return {
    type: "approval",
    title: `May the agent use ${name.slice(0, MAX_NAME_SHOWN)}?`,
    description: describeCall(name, json),
  };
}

/** Converts what a tool returned into a result or a question. @param round as in {@link OpenQuestion} */
export function toOutcome(
  { id: toolCallId }: ToolCall,
  returned: string | Question | Pause | ToolOutput,
  round: number,
): ToolResult | OpenQuestion {
  if (typeof returned === "string") return { output: returned, isError: false };
  if ("output" in returned) {
    const { output, images } = returned;
    return { output, isError: false, ...(images.length > 0 && { images }) };
  }
  const unstorable = findUnstorable(returned);
  if (unstorable === undefined) {
    if ("pauseFor" in returned) return { question: returned.pauseFor, toolCallId, purpose: "pause", round };
    return { question: returned, toolCallId, purpose: "result" };
  }
  return errorResult(`The question cannot be stored. ${unstorable.path}: ${unstorable.message}`);
}

/** The result of a call whose question was answered; undefined when the call may now be executed. */
export function answeredResult({ purpose }: OpenQuestion, answer: Answer): ToolResult | undefined {
  if (purpose === "result") return { output: JSON.stringify(answer), isError: false };
  if (purpose === "pause" || answer["approved"] === true) return undefined;
  return errorResult(
    answer["late"] === true
      ? "Nobody approved this call in time; it was not made."
      : "The user did not approve this call; it was not made.",
  );
}
