import { outputSection } from "#domain/agents/json-result.ts";
import { attachedSection } from "#domain/files/attachments.ts";
import type { AttachedFile } from "#domain/files/attachments.ts";
import type { ModelMessage } from "#domain/models/model-call.ts";
import { plainParts } from "#domain/models/reply-parts.ts";
import type { AgentSnapshot, RunJob, ConversationMessage } from "#domain/tasks/run-job.ts";
import { taskPrompt } from "#domain/tasks/task-prompt.ts";
import { digestOfReply, taskOf } from "./older-turns.ts";
import type { CountedPrompt } from "./prompt-meter.ts";
import type { RecalledReplies } from "./recall-replies.ts";
import { withSummary } from "./summarize.ts";
import type { Summary } from "./summarize.ts";
import { voiceSection } from "#domain/agents/voice.ts";

/** What a conversation is completed with. */
export interface Opening {
  readonly files: readonly AttachedFile[];
  /** What the agent did for its earlier replies. */
  readonly recalled: RecalledReplies;
}

/** The first messages of a run. */
export interface OpeningMessages {
  readonly messages: readonly ModelMessage[];
  /** The last prompt among them whose tokens a provider has counted. */
  readonly counted?: CountedPrompt | undefined;
}

/** Returns the first messages of a run. Files are placed where the text names them, or after the first message. */
export function openingMessages(job: RunJob, { files, recalled }: Opening): OpeningMessages {
  const said: readonly ConversationMessage[] = job.conversation ?? [{ role: "user", content: taskPrompt(job) }];
  const named = new Set(said.flatMap(({ attachments = [] }) => attachments));
  const first = said.findIndex(({ role }) => role === "user");
  const parts = said.flatMap(
    (utterance, index) =>
      recalled(utterance) ??
      asMessages(
        utterance,
        files.filter(({ id }) => utterance.attachments?.includes(id) || (index === first && !named.has(id))),
      ),
  );
  let counted: CountedPrompt | undefined;
  let messages: readonly ModelMessage[] = [{ role: "system", content: systemPrompt(job.agent) }];
  for (const part of parts) {
    if ("role" in part && part.role === "assistant" && part.promptTokens !== undefined) {
      counted = { tokens: part.promptTokens, messages };
    }
    messages = "role" in part ? [...messages, part] : summarizedAgain(messages, part);
  }
  return { messages, counted };
}

/** Applies a summary of an earlier attempt, unless the conversation begins in another way now. */
function summarizedAgain(messages: readonly ModelMessage[], part: Summary): readonly ModelMessage[] {
  const isSame = digestOfReply(messages, part.replies - 1) === part.last;
  return isSame ? withSummary(messages, part, taskOf(messages)) : messages;
}

/** The system prompt of every run: the agent's own prompt, then its voice and its output schema. */
export function systemPrompt({ system_prompt, voice, output_schema: schema }: AgentSnapshot): string {
  const sections = [
    ...(voice == null ? [] : [voiceSection(voice)]),
    ...(schema == null ? [] : [outputSection(schema)]),
  ];
  return [...(system_prompt === "" ? [] : [system_prompt]), ...sections].join("\n\n");
}

function asMessages(
  { role, content, clientSection, clientCalls = [] }: ConversationMessage,
  files: readonly AttachedFile[],
): ModelMessage[] {
  if (role === "user") {
    return [userMessage(clientSection === undefined ? content : `${content}\n\n${clientSection}`, files)];
  }
  const toolCalls = clientCalls.map(({ id, name, arguments: json }) => ({ id, name, arguments: json }));
  const results = clientCalls.map(({ id: toolCallId, name: toolName, result: output }) => {
    return { role: "tool", toolCallId, toolName, output, isError: false } as const;
  });
  return [{ role, parts: plainParts(content, toolCalls) }, ...results];
}

function userMessage(content: string, files: readonly AttachedFile[]): ModelMessage {
  const role = "user";
  if (files.length === 0) return { role, content };
  const images = files.flatMap((file) =>
    "image" in file ? [{ name: file.name, mediaType: file.type, data: file.image }] : [],
  );
  return { role, content: `${content}\n\n${attachedSection(files)}`, ...(images.length > 0 && { images }) };
}
