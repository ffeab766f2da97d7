import type { ModelMessage } from "#domain/model-call.ts";
import type { AgentSnapshot, RunJob, Utterance } from "#domain/run-job.ts";
import { taskPrompt } from "#domain/task-prompt.ts";
import { voiceSection } from "#domain/voice.ts";

/** The messages with which a run begins. */
export function openingMessages(job: RunJob): ModelMessage[] {
  return [
    { role: "system", content: systemPrompt(job.agent) },
    ...(job.conversation?.map(asMessage) ?? [{ role: "user" as const, content: taskPrompt(job) }]),
  ];
}

/** What an agent is told in every run, whatever its task: its system prompt, then how to speak. */
export function systemPrompt({ system_prompt, voice }: AgentSnapshot): string {
  if (voice == null) return system_prompt;
  return system_prompt === "" ? voiceSection(voice) : `${system_prompt}\n\n${voiceSection(voice)}`;
}

function asMessage({ role, content }: Utterance): ModelMessage {
  return role === "user" ? { role, content } : { role, content, toolCalls: [] };
}
