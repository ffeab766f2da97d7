import type { StepDetail } from "../../records/run-head.ts";

/** A recorded request, in no provider's form. */
export type SentRequest = Omit<NonNullable<StepDetail["request"]>, "message_tokens">;
/** One message of it. */
export type SentMessage = SentRequest["messages"][number];
/** A message of the model. */
export type AssistantMessage = Extract<SentMessage, { role: "assistant" }>;

/** The arguments of a call as an object, which providers demand: other text is sent as one. */
export function inputOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Below.
  }
  return { malformed_arguments: text };
}

/** In place of a picture. */
export function placeholderOf(name: string): string {
  return `<${name} in base64>`;
}

/** Messages that say something: empty ones of the model are not sent. */
export function saying(messages: readonly SentMessage[]): readonly SentMessage[] {
  return messages.filter(
    (message) => message.role !== "assistant" || message.content !== "" || message.toolCalls.length > 0,
  );
}

/** Neighbours of one role as one message with the parts of each, as some providers expect. */
export function joined<Role extends string, Part>(
  messages: readonly { readonly role: Role; readonly parts: readonly Part[] }[],
): readonly { readonly role: Role; readonly parts: readonly Part[] }[] {
  return messages.reduce<{ role: Role; parts: readonly Part[] }[]>((before, { role, parts }) => {
    const last = before.at(-1);
    if (last?.role === role) last.parts = [...last.parts, ...parts];
    else before.push({ role, parts });
    return before;
  }, []);
}
