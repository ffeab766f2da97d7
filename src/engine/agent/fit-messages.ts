import type { ModelMessage } from "#domain/models/model-call.ts";

/** Adapts messages to a model: without vision, images are replaced by a text that names them. */
export function fitMessages(
  messages: readonly ModelMessage[],
  { model, sees }: { readonly model: string; readonly sees: boolean },
): readonly ModelMessage[] {
  if (sees) return messages;
  return messages.map((message) => {
    if (message.role !== "user" || message.images === undefined) return message;
    const names = message.images.map(({ name }) => name).join(", ");
    const note = `Notice of the service: ${model} cannot see images, so these were left out: ${names}.`;
    return { role: "user", content: `${message.content}\n\n${note}` };
  });
}
