import { invalid } from "../invalid.ts";
import type { ConversationMessage } from "../tasks/run-job.ts";

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
      readonly calls: readonly GivenCall[];
    }
  | { readonly kind: "result"; readonly callId: string; readonly output: string }
  /** An item of an earlier response, by its id. */
  | { readonly kind: "reference"; readonly id: string };

/** The result of a function. */
export type GivenResult = Extract<OpenAiItem, { kind: "result" }>;
/** An item with its content. */
export type ResolvedItem = Exclude<OpenAiItem, { kind: "reference" }>;

/** Returns the results at the end of a conversation; such a request continues a run. */
export function trailingResults(items: readonly OpenAiItem[]): readonly GivenResult[] {
  const start = items.findLastIndex(({ kind }) => kind !== "result") + 1;
  return items.slice(start).filter((item) => item.kind === "result");
}

/**
 * Converts the items to a conversation: calls and results belong to the preceding assistant message.
 * @param field the field of the request that contains the items
 * @throws AppError `bad_request` for a call without a result, a result without a call, and when the last message is  
 * not the user's.
 */
export function toConversation(items: readonly ResolvedItem[], field: string): ConversationMessage[] {
  const issue = (message: string) => invalid("body", [{ path: field, message }]);
  const results = new Map(
    items.flatMap((item) => (item.kind === "result" ? [[item.callId, item.output] as const] : [])),
  );
  const utterances: ConversationMessage[] = [];
  for (const item of items) {
    if (item.kind === "result") continue;
    const { role, content, calls } = item;
    const clientCalls = calls.map((call) => {
      const result = results.get(call.id);
      results.delete(call.id);
      if (result === undefined) throw issue(`the call ${JSON.stringify(call.id)} has no result`);
      return { ...call, result };
    });
    utterances.push({ role, content, ...(clientCalls.length > 0 && { clientCalls }) });
  }
  const [unknown] = results.keys();
  if (unknown !== undefined) throw issue(`the result of ${JSON.stringify(unknown)} belongs to no earlier call`);
  if (utterances.at(-1)?.role !== "user") throw issue("must end with a user message");
  return utterances;
}
