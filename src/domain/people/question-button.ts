import { isUuid } from "#lib/ids.ts";
import type { Answer } from "../tasks/answer.ts";
import type { AskedQuestion } from "../tasks/open-question.ts";

/** More options than this are answered by the link: Slack takes 25 buttons, Discord five rows of five. */
const MAX_OPTIONS = 20;
/** The id of a delivery, and what the button answers: 49 bytes at most, of the 64 that Telegram takes. */
const CODE = /^muster:([0-9a-f-]{36}):(approve|reject|text|\d{1,2})$/;

/** A button under a question. */
export interface QuestionButton {
  /** What the vendor sends back with a press. */
  readonly code: string;
  readonly label: string;
  readonly style: "primary" | "danger" | "plain";
  /** `modal` asks for a text; a vendor without modals leaves it out and takes a reply. */
  readonly opens: "nothing" | "modal";
}

/** What a button means. */
export interface PressedButton {
  /** The delivery that posted it. */
  readonly deliveryId: string;
  /** `approve`, `reject`, `text`, or the position of an option. */
  readonly action: string;
}

/** The buttons of a question; none for one that is answered by the link. */
export function buttonsOf(request: AskedQuestion, deliveryId: string): readonly QuestionButton[] {
  if (request.wizard !== undefined) return [];
  const button = (action: string, label: string, style: QuestionButton["style"] = "plain"): QuestionButton => ({
    code: codeOf({ deliveryId, action }),
    label,
    style,
    opens: action === "text" ? "modal" : "nothing",
  });
  switch (request.interactionType) {
    case "approval":
    case "confirm_data":
      return [button("approve", "Approve", "primary"), button("reject", "Reject", "danger")];
    case "choice": {
      const { choices = [] } = request;
      return choices.length > MAX_OPTIONS ? [] : choices.map(({ label }, index) => button(String(index), label));
    }
    case "text_input":
      return [button("text", "Answer", "primary")];
    case "form":
      return [];
  }
}

/** Writes what a vendor sends back. */
export function codeOf({ deliveryId, action }: PressedButton): string {
  return `muster:${deliveryId}:${action}`;
}

/** Reads what a vendor sent back; undefined for a button that is none of ours. */
export function readCode(code: string): PressedButton | undefined {
  const [, deliveryId, action] = CODE.exec(code) ?? [];
  return deliveryId === undefined || action === undefined || !isUuid(deliveryId) ? undefined : { deliveryId, action };
}

/** The answer that a press gives; undefined when the question has no such button. */
export function answerOfPress(request: AskedQuestion, action: string, text: string | undefined): Answer | undefined {
  if (!buttonsOf(request, "").some(({ code }) => code === codeOf({ deliveryId: "", action }))) return undefined;
  if (request.interactionType === "choice") {
    const chosen = request.choices?.[Number(action)];
    return chosen && { selectedOptionId: chosen.id };
  }
  if (request.interactionType === "text_input") return text === undefined ? undefined : { text };
  return { approved: action === "approve" };
}
