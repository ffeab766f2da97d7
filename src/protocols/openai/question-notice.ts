import type { AskedQuestion } from "./reply-pieces.ts";
import type { ReplyPart } from "./reply-event.ts";

/** Returns the page on which a person answers the open question of a task. */
export function answerUrl(origin: string, { taskId }: ReplyPart): string {
  return `${origin}/r/${taskId}/answer`;
}

/** Returns a question to a person as the end of a reply's text. */
export function questionNotice({ title, description }: AskedQuestion, url: string): string {
  return [title, description, `The run waits for a person's answer: ${url}`].filter((part) => part !== "").join("\n\n");
}

/** Returns the text of a reply that ends with a question. */
export function withNotice(text: string, notice: string): string {
  return text === "" ? notice : `${text}\n\n${notice}`;
}
