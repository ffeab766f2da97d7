import type { Requirements } from "./requirement.ts";

const LATER = "interactions are not built yet";

/** Interactions: how an agent asks its user and how the answer comes back. */
export const interactions = {
  "interactions.types": {
    states: "The interaction types are approval, confirm_data, choice, text_input and form.",
    source: "contract",
    open: LATER,
  },
  "interactions.request.waits": {
    states: "A request puts the task into waiting_for_input and streams INTERACTION_REQUEST.",
    source: "contract",
    open: LATER,
  },
  "interactions.request.confirm-data": {
    states: "The request of confirm_data has data.",
    source: "contract",
    open: LATER,
  },
  "interactions.request.choice": {
    states: "The request of choice has choices.",
    source: "contract",
    open: LATER,
  },
  "interactions.request.choice-items": {
    states: "Each choice has id, label and, if given, description.",
    source: "decision",
    open: LATER,
  },
  "interactions.request.form-fields": {
    states: "Each field of a form has key, label and a type out of text, number, email, textarea, select and toggle.",
    source: "decision",
    open: LATER,
  },
  "interactions.request.form-field-options": {
    states: "A field may be required and may have options, placeholder and default.",
    source: "decision",
    open: LATER,
  },
  "interactions.request.wizard-steps": {
    states: "A wizard has a title and steps with stepId, type and title.",
    source: "decision",
    open: LATER,
  },
  "interactions.request.timeout-reported": {
    states: "timeoutMs tells how long the task waits.",
    source: "contract",
    open: LATER,
  },
  "interactions.respond.resumes": {
    states: "A valid answer to POST /ag-ui/:agentId/respond lets the task run on and streams INTERACTION_RESPONSE.",
    source: "contract",
    open: LATER,
  },
  "interactions.respond.answer": {
    states: "The endpoint answers ok true and the interactionId.",
    source: "contract",
    open: LATER,
  },
  "interactions.respond.approval": {
    states: "approval is answered with approved.",
    source: "contract",
    open: LATER,
  },
  "interactions.respond.confirm-data": {
    states: "confirm_data is answered with approved and data, the values as the user left them.",
    source: "contract",
    open: LATER,
  },
  "interactions.respond.choice": {
    states: "choice is answered with selectedOptionId.",
    source: "contract",
    open: LATER,
  },
  "interactions.respond.text-input": {
    states: "text_input is answered with text.",
    source: "decision",
    open: LATER,
  },
  "interactions.respond.form": {
    states: "form is answered with values.",
    source: "decision",
    open: LATER,
  },
  "interactions.respond.wizard-step": {
    states: "A wizard's step is answered with its wizardStepId.",
    source: "decision",
    open: LATER,
  },
  "interactions.respond.ids-required": {
    states: 'Without threadId or interactionId the answer is 400 "threadId and interactionId are required".',
    source: "contract",
    open: LATER,
  },
  "interactions.respond.unauthorized": {
    states: 'Without a bearer token the answer is 401 "Unauthorized — provide Bearer token".',
    source: "contract",
    open: LATER,
  },
  "interactions.respond.unknown-task": {
    states: 'An unknown task is 404 "Task not found".',
    source: "contract",
    open: LATER,
  },
  "interactions.respond.not-waiting": {
    states: 'A task in another state is 409 "Task is not waiting for input (status: …)" with the state it is in.',
    source: "contract",
    open: LATER,
  },
  "interactions.respond.wrong-interaction": {
    states: "An interactionId that is not the open one is 409.",
    source: "decision",
    open: LATER,
  },
  "interactions.respond.wrong-shape": {
    states: "An answer that does not fit the request is 400, and the task keeps waiting.",
    source: "decision",
    open: LATER,
  },
  "interactions.timeout.fails-task": {
    states: "Without an answer in time INTERACTION_TIMEOUT is streamed and the task fails.",
    source: "contract",
    open: LATER,
  },
  "interactions.timeout.default": {
    states: "The timeout is 300000 ms unless the request names another.",
    source: "contract",
    open: LATER,
  },
  "interactions.timeout.range": {
    states: "A timeout is between one second and seven days.",
    source: "decision",
    open: LATER,
  },
  "interactions.wait.survives-restart": {
    states: "A restart keeps the wait and its deadline.",
    source: "decision",
    open: LATER,
  },
  "interactions.answer.from-console": {
    states: "The console can answer.",
    source: "decision",
    open: LATER,
  },
  "interactions.answer.from-a2a": {
    states: "An A2A message to an input-required task answers.",
    source: "decision",
    open: LATER,
  },
  "interactions.tool.request-approval": {
    states: "The tool request_approval asks for approval.",
    source: "decision",
    open: LATER,
  },
  "interactions.tool.request-confirmation": {
    states: "The tool request_confirmation asks to confirm data.",
    source: "decision",
    open: LATER,
  },
  "interactions.tool.request-choice": {
    states: "The tool request_choice asks for a choice.",
    source: "decision",
    open: LATER,
  },
  "interactions.tool.request-input": {
    states: "The tool request_input asks for text.",
    source: "decision",
    open: LATER,
  },
  "interactions.tool.request-form": {
    states: "The tool request_form asks to fill in a form.",
    source: "decision",
    open: LATER,
  },
  "interactions.tool.request-wizard": {
    states: "The tool request_wizard leads through several steps.",
    source: "decision",
    open: LATER,
  },
  "interactions.tool.requires-approval": {
    states: "A tool marked requires_approval on the agent runs only after approval.",
    source: "decision",
    open: LATER,
  },
  "interactions.wizard.conditions": {
    states: "A step's condition compares a field of an earlier step by equals, not_equals or contains.",
    source: "decision",
    open: LATER,
  },
  "interactions.wizard.unmet-condition-skips": {
    states: "A step whose condition is not met is skipped.",
    source: "decision",
    open: LATER,
  },
  "interactions.wizard.cancel": {
    states: "wizardCancelled resumes the task, and the tool's result says that it was cancelled.",
    source: "decision",
    open: LATER,
  },
} as const satisfies Requirements<"interactions">;
