import type { ModelMessage } from "#domain/model-call.ts";
import type { RunJob, Utterance } from "#domain/run-job.ts";
import { taskPrompt } from "#domain/task-prompt.ts";

/** The messages with which a run begins. */
export function openingMessages(job: RunJob): ModelMessage[] {
  return [
    { role: "system", content: job.agent.system_prompt },
    ...(job.conversation?.map(asMessage) ?? [{ role: "user" as const, content: taskPrompt(job) }]),
  ];
}

function asMessage({ role, content }: Utterance): ModelMessage {
  return role === "user" ? { role, content } : { role, content, toolCalls: [] };
}
