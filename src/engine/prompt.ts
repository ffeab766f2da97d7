import type { ModelMessage } from "#domain/model-call.ts";
import type { RunJob } from "#domain/run-job.ts";

/** The messages with which a run begins. */
export function openingMessages(job: RunJob): ModelMessage[] {
  return [
    { role: "system", content: job.agent.system_prompt },
    { role: "user", content: taskPrompt(job) },
  ];
}

function taskPrompt({ title, description }: RunJob): string {
  if (description === "") return `Task Title: ${title}`;
  return `Task Title: ${title}\n\nTask Description:\n${description}`;
}
