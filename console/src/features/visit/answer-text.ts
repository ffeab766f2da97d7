import type { InteractionRequest } from "#domain/tasks/interaction-request.ts";

/** What a visitor has answered, in words. */
export function answerText(question: InteractionRequest, payload: Readonly<Record<string, unknown>>): string {
  const { approved, selectedOptionId: chosen, text, values } = payload;
  if (typeof text === "string") return text;
  if (typeof chosen === "string") {
    const choices = "choices" in question ? question.choices : [];
    return choices.find(({ id }) => id === chosen)?.label ?? chosen;
  }
  if (typeof values === "object" && values !== null) {
    const fields = "fields" in question ? question.fields : [];
    return Object.entries(values)
      .map(([key, value]) => `${fields.find((field) => field.key === key)?.label ?? key}: ${String(value)}`)
      .join("\n");
  }
  return approved === true ? "Yes" : "No";
}
