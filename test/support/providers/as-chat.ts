import { z } from "zod";

const content = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional(), image_url: z.string().optional() })),
]);

const item = z.union([
  z.looseObject({ type: z.literal("function_call"), call_id: z.string(), name: z.string(), arguments: z.string() }),
  z.looseObject({ type: z.literal("function_call_output"), call_id: z.string(), output: z.string() }),
  z.looseObject({ type: z.literal("reasoning") }),
  z.looseObject({ type: z.literal("message").default("message"), role: z.string(), content }),
]);

const responsesRequest = z.looseObject({
  input: z.array(item),
  tools: z.array(z.looseObject({ type: z.string() })).optional(),
  tool_choice: z.unknown().optional(),
  max_output_tokens: z.number().optional(),
  store: z.literal(false),
});

interface Message {
  readonly role: string;
  content: unknown;
  tool_calls?: unknown[];
  readonly tool_call_id?: string;
}

/** Rewrites a request to the Responses API in the words of Chat Completions, so that scripts read only one form. */
export function asChatRequest(sent: unknown): Record<string, unknown> {
  const { input, tools, max_output_tokens, tool_choice, ...rest } = responsesRequest.parse(sent);
  return {
    ...rest,
    messages: input.reduce<Message[]>(addItem, []),
    ...(tools !== undefined && { tools: tools.map(({ type, ...definition }) => ({ type, function: definition })) }),
    ...(tool_choice !== undefined && { tool_choice: asChatChoice(tool_choice) }),
    ...(max_output_tokens !== undefined && { max_tokens: max_output_tokens }),
  };
}

function addItem(messages: Message[], each: z.output<typeof item>): Message[] {
  if (each.type === "message") {
    messages.push({ role: each.role === "developer" ? "system" : each.role, content: asChatContent(each) });
  } else if (each.type === "function_call") {
    const last = messages.at(-1);
    const into = last?.role === "assistant" ? last : { role: "assistant", content: null };
    if (into !== last) messages.push(into);
    const { call_id: id, name, arguments: text } = each;
    into.tool_calls = [...(into.tool_calls ?? []), { id, type: "function", function: { name, arguments: text } }];
  } else if (each.type === "function_call_output") {
    messages.push({ role: "tool", content: each.output, tool_call_id: each.call_id });
  }
  return messages;
}

/** A single text is a string, as Chat Completions' clients send it. */
function asChatContent({ content: given }: { readonly content: z.output<typeof content> }): unknown {
  if (typeof given === "string") return given;
  const parts = given.map(({ text, image_url: url }) =>
    url === undefined ? { type: "text", text: text ?? "" } : { type: "image_url", image_url: { url } },
  );
  const [only, ...others] = parts;
  return only !== undefined && "text" in only && others.length === 0 ? only.text : parts;
}

function asChatChoice(choice: unknown): unknown {
  const named = z.object({ type: z.literal("function"), name: z.string() }).safeParse(choice).data;
  return named === undefined ? choice : { type: "function", function: { name: named.name } };
}
