import { z } from "zod";
import { content, textContent } from "./content.ts";
import type { OpenAiItem } from "./items.ts";

const MAX_MESSAGES = 1_000;
/** The same limit as for an answer to a question. */
const MAX_OUTPUT = 100_000;

const output = textContent.pipe(z.string().max(MAX_OUTPUT, `must have at most ${MAX_OUTPUT} characters`));

const message = z
  .looseObject({ role: z.enum(["system", "developer", "user"]), content })
  // The agent has its own system prompt: a caller's system message counts as the user's.
  .transform(({ content: { text, files } }): OpenAiItem => ({
    kind: "said",
    role: "user",
    content: text,
    files,
    calls: [],
  }));

const functionCall = z.looseObject({
  id: z.string(),
  type: z.literal("function"),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});

const chatAssistant = z
  .looseObject({
    role: z.literal("assistant"),
    content: textContent.nullish(),
    refusal: z.string().nullish(),
    tool_calls: z.array(functionCall).nullish(),
  })
  .refine(({ content: text, tool_calls }) => text !== undefined || (tool_calls ?? []).length > 0, {
    error: "must be a string, null or an array of text parts",
    path: ["content"],
  })
  .transform(({ content: text, refusal, tool_calls }): OpenAiItem => {
    const calls = (tool_calls ?? []).map(({ id, function: { name, arguments: json } }) => ({
      id,
      name,
      arguments: json,
    }));
    return { kind: "said", role: "assistant", content: text ?? refusal ?? "", files: [], calls };
  });

const chatResult = z
  .looseObject({ role: z.literal("tool"), tool_call_id: z.string().min(1), content: output })
  .transform(({ tool_call_id, content: text }): OpenAiItem => ({ kind: "result", callId: tool_call_id, output: text }));

const chatMessage = z.discriminatedUnion("role", [message, chatAssistant, chatResult], {
  error: "role must be system, developer, user, assistant or tool",
});

/** The messages of a request to Chat Completions, the newest last. */
export const chatMessages = z
  .array(chatMessage)
  .min(1, { error: "must have at least one message" })
  .max(MAX_MESSAGES, { error: `at most ${MAX_MESSAGES} messages` });

const responseItem = z.discriminatedUnion(
  "type",
  [
    z
      .looseObject({ type: z.literal("message"), role: z.enum(["system", "developer", "user", "assistant"]), content })
      .transform(({ role: given, content: { text, files } }, context): OpenAiItem[] => {
        const role = given === "assistant" ? given : "user";
        if (role === "assistant" && files.length > 0) {
          context.addIssue({ code: "custom", path: ["content"], message: "only messages of the user can have files" });
        }
        return [{ kind: "said", role, content: text, files, calls: [] }];
      }),
    z
      .looseObject({ type: z.literal("function_call"), call_id: z.string(), name: z.string(), arguments: z.string() })
      .transform(({ call_id: id, name, arguments: json }): OpenAiItem[] => [
        { kind: "said", role: "assistant", content: "", files: [], calls: [{ id, name, arguments: json }] },
      ]),
    z
      .looseObject({ type: z.literal("function_call_output"), call_id: z.string().min(1), output })
      .transform(({ call_id: callId, output: text }): OpenAiItem[] => [{ kind: "result", callId, output: text }]),
    z
      .looseObject({ type: z.literal("item_reference"), id: z.string() })
      .transform(({ id }): OpenAiItem[] => [{ kind: "reference", id }]),
    // The reasoning of one model is useless for another.
    z.looseObject({ type: z.literal("reasoning") }).transform((): OpenAiItem[] => []),
  ],
  { error: "type must be message, function_call, function_call_output, item_reference or reasoning" },
);

const untypedMessage = z.looseObject({ role: z.string(), type: z.undefined().optional() });
const item = z.preprocess((given) => {
  const message = untypedMessage.safeParse(given);
  return message.success ? { ...message.data, type: "message" } : given;
}, responseItem);

/** The input of a request to Responses, the newest item last. Clients may omit the type of a message. */
export const responseInput = z.preprocess(
  (given) => (typeof given === "string" && given !== "" ? [{ role: "user", content: given }] : given),
  z
    .array(item, { error: "must be a string that is not empty, or an array of items" })
    .min(1, { error: "must have at least one item" })
    .max(MAX_MESSAGES, { error: `at most ${MAX_MESSAGES} items` })
    .transform((items) => items.flat()),
);
