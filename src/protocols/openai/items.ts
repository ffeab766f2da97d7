import { MAX_ATTACHMENTS } from "#domain/files/attachments.ts";
import { invalid } from "#domain/invalid.ts";
import type { ConversationMessage } from "#domain/tasks/run-job.ts";
import { parseClientCallId } from "./client-call-id.ts";
import type { GivenFile } from "./content.ts";

/** A function call, as a client sends it back. */
export interface GivenCall {
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

/** A part of a conversation in the format of Chat Completions or Responses. */
export type OpenAiItem =
  | {
      readonly kind: "said";
      readonly role: "user" | "assistant";
      readonly content: string;
      readonly files: readonly GivenFile[];
      readonly calls: readonly GivenCall[];
    }
  | { readonly kind: "result"; readonly callId: string; readonly output: string }
  /** An item of an earlier response, by its id. */
  | { readonly kind: "reference"; readonly id: string };

const NO_PREFILL =
  "must end with a user message or results: an agent cannot continue (prefill) the assistant's message";

/** The result of a function. */
export type GivenResult = Extract<OpenAiItem, { kind: "result" }>;
/** An item with its content. */
export type ResolvedItem = Exclude<OpenAiItem, { kind: "reference" }>;

/**
 * Returns the results at the end of a conversation, which continue a run. None for calls that another service made, if
 * the conversation contains them: then a new run continues the conversation.
 */
export function continuingResults(items: readonly OpenAiItem[]): readonly GivenResult[] {
  const start = items.findLastIndex(({ kind }) => kind !== "result") + 1;
  const results = items.slice(start).filter((item) => item.kind === "result");
  const isOurs = results.some(({ callId }) => parseClientCallId(callId) !== undefined);
  return !isOurs && holdsCalls(items, results) ? [] : results;
}

function holdsCalls(items: readonly OpenAiItem[], results: readonly GivenResult[]): boolean {
  const calls = new Set(items.flatMap((item) => (item.kind === "said" ? item.calls.map(({ id }) => id) : [])));
  return results.every(({ callId }) => calls.has(callId));
}

/** Whether a conversation is only text: nothing of it must be stored, or found, before a run continues it. */
export function isTextOnly(items: readonly OpenAiItem[]): boolean {
  return items.every((item) => item.kind === "said" && item.files.length === 0);
}

/** A message whose files are not stored yet. */
export interface GivenMessage extends ConversationMessage {
  readonly files?: readonly GivenFile[];
}

/**
 * Converts the items to a conversation: calls and results belong to the preceding assistant message. Messages of the
 * assistant without content are left out.
 * @param field the field of the request that contains the items
 * @throws AppError `bad_request` for a call without a result, a result without a call, and when the last message is not
 * the user's and has no results.
 */
export function toConversation(items: readonly ResolvedItem[], field: string): GivenMessage[] {
  const issue = (message: string) => invalid("body", [{ path: field, message }]);
  const results = new Map(
    items.flatMap((item) => (item.kind === "result" ? [[item.callId, item.output] as const] : [])),
  );
  const utterances: GivenMessage[] = [];
  for (const item of items) {
    if (item.kind === "result" || isEmpty(item)) continue;
    const { role, content, files, calls } = item;
    const clientCalls = calls.map((call) => {
      const result = results.get(call.id);
      results.delete(call.id);
      if (result === undefined) throw issue(`the call ${JSON.stringify(call.id)} has no result`);
      return { ...call, result };
    });
    const more = { ...(files.length > 0 && { files }), ...(clientCalls.length > 0 && { clientCalls }) };
    utterances.push({ role, content, ...more });
  }
  const [unknown] = results.keys();
  if (unknown !== undefined) throw issue(`the result of ${JSON.stringify(unknown)} belongs to no earlier call`);
  if (items.at(-1)?.kind !== "result" && utterances.at(-1)?.role !== "user") throw issue(NO_PREFILL);
  const files = utterances.reduce((sum, { files: own = [] }) => sum + own.length, 0);
  if (files > MAX_ATTACHMENTS) throw issue(`has more than ${MAX_ATTACHMENTS} files`);
  return utterances;
}

function isEmpty(item: Extract<ResolvedItem, { kind: "said" }>): boolean {
  return item.role === "assistant" && item.content === "" && item.calls.length === 0;
}
