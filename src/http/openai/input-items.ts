import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import type { ConversationMessage } from "#domain/tasks/run-job.ts";
import { readInput } from "#operations/conversations/read-input.ts";
import type { ReplyInput, SentResult } from "#operations/conversations/read-input.ts";
import { wholeNumber } from "../api/shape/whole-number.ts";
import { inputItemId } from "#protocols/openai/ids.ts";
import { outputText } from "#protocols/openai/response-body.ts";
import type { ReplyPart } from "#protocols/openai/reply-event.ts";
import type { HttpWorkspace } from "../context.ts";

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** The query of a list of input items. */
export const inputItemsQuery = z.looseObject({
  limit: wholeNumber({ min: 1, max: MAX_LIMIT }).default(DEFAULT_LIMIT),
  order: z.enum(["asc", "desc"]).default("desc"),
  after: z.string().optional(),
});

interface ListedInput {
  readonly part: ReplyPart;
  readonly query: z.output<typeof inputItemsQuery>;
}

/**
 * Lists the input items of a response (https://platform.openai.com/docs/api-reference/responses/input-items).
 * @throws AppError `not_found`; `bad_request` for an item that the list does not have.
 */
export async function inputItems(workspace: HttpWorkspace, { part, query }: ListedInput) {
  const { order, after, limit } = query;
  const listed = itemsOf(await readInput(workspace, part)).map((item, index) => {
    return { id: inputItemId(part, index), status: "completed", ...item };
  });
  const all = order === "asc" ? listed : listed.toReversed();
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw new AppError("bad_request", `after: there is no item ${after}.`);
  const data = all.slice(start, start + limit);
  return {
    object: "list",
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: start + limit < all.length,
  };
}

function itemsOf({ messages, results, images }: ReplyInput): object[] {
  return [...messages.flatMap((message) => messageItems(message, images)), ...results.map(resultItem)];
}

function messageItems(
  { role, content, attachments = [], clientCalls = [] }: ConversationMessage,
  images: ReplyInput["images"],
): object[] {
  const text = role === "user" ? { type: "input_text", text: content } : outputText(content);
  const files = attachments.map((fileId) =>
    images.has(fileId)
      ? { type: "input_image", detail: "auto", image_url: null, file_id: fileId }
      : { type: "input_file", file_id: fileId },
  );
  const parts = [...(content === "" ? [] : [text]), ...files];
  return [
    ...(parts.length === 0 ? [] : [{ type: "message", role, content: parts }]),
    ...clientCalls.map(({ id, name, arguments: json }) => {
      return { type: "function_call", call_id: id, name, arguments: json };
    }),
    ...clientCalls.map(({ id: callId, result: output }) => resultItem({ callId, output })),
  ];
}

function resultItem({ callId, output }: SentResult) {
  return { type: "function_call_output", call_id: callId, output };
}
