import type { Requirements } from "./requirement.ts";

/** Interactions: how an agent asks its user, and how the answer returns. */
export const interactions = {
  "interactions.types": {
    states: "The interaction types are approval, confirm_data, choice, text_input and form.",
    source: "contract",
  },
  "interactions.order": {
    states: "The fields of a question's data, of its answer and of forms keep the order in which they were given.",
    source: "goal",
  },
  "interactions.request.waits": {
    states: "A request puts the task into waiting_for_input and streams INTERACTION_REQUEST.",
    source: "contract",
  },
  "interactions.request.confirm-data": {
    states: "The request of confirm_data has data.",
    source: "contract",
  },
  "interactions.request.choice": {
    states: "The request of choice has choices.",
    source: "contract",
  },
  "interactions.request.choice-items": {
    states: "Each choice has id, label and, if given, description.",
    source: "decision",
  },
  "interactions.request.form-fields": {
    states: "Each field of a form has key, label and a type: text, number, email, textarea, select or toggle.",
    source: "decision",
  },
  "interactions.request.form-field-options": {
    states: "A field may be required and may have options, placeholder and default.",
    source: "decision",
  },
  "interactions.request.wizard-steps": {
    states: "A wizard has a title and steps with stepId, type and title.",
    source: "decision",
  },
  "interactions.request.timeout-reported": {
    states: "timeoutMs is the time that the task waits.",
    source: "contract",
  },
  "interactions.respond.resumes": {
    states: "A valid answer to POST /ag-ui/:agentId/respond resumes the task and streams INTERACTION_RESPONSE.",
    source: "contract",
  },
  "interactions.respond.answer": {
    states: "The endpoint returns ok true and the interactionId.",
    source: "contract",
  },
  "interactions.respond.approval": {
    states: "approval is answered with approved.",
    source: "contract",
  },
  "interactions.respond.confirm-data": {
    states: "confirm_data is answered with approved and data, the values after the user's changes.",
    source: "contract",
  },
  "interactions.respond.choice": {
    states: "choice is answered with selectedOptionId.",
    source: "contract",
  },
  "interactions.respond.text-input": {
    states: "text_input is answered with text.",
    source: "decision",
  },
  "interactions.respond.form": {
    states: "form is answered with values.",
    source: "decision",
  },
  "interactions.respond.wizard-step": {
    states: "A wizard's step is answered with its wizardStepId.",
    source: "decision",
  },
  "interactions.respond.ids-required": {
    states: 'Without threadId or interactionId the response is 400 "threadId and interactionId are required".',
    source: "contract",
  },
  "interactions.respond.unauthorized": {
    states: 'Without a bearer token the response is 401 "Unauthorized — provide Bearer token".',
    source: "contract",
  },
  "interactions.respond.unknown-task": {
    states: 'An unknown task is 404 "Task not found".',
    source: "contract",
  },
  "interactions.respond.not-waiting": {
    states: 'A task in another state is 409 "Task is not waiting for input (status: …)" with its state.',
    source: "contract",
  },
  "interactions.respond.wrong-interaction": {
    states: "An interactionId that is not the open one is 409.",
    source: "decision",
  },
  "interactions.respond.wrong-shape": {
    states: "An answer that does not fit the request is 400, and the task keeps waiting.",
    source: "decision",
  },
  "interactions.timeout.fails-task": {
    states: "Without an answer in time INTERACTION_TIMEOUT is streamed and the task fails.",
    source: "contract",
  },
  "interactions.timeout.apart": {
    states: "A lock on one task delays the deadline of no other question.",
    source: "goal",
  },
  "interactions.timeout.default": {
    states: "The timeout is 300000 ms unless the request sets another.",
    source: "contract",
  },
  "interactions.timeout.range": {
    states: "A timeout is between one second and seven days.",
    source: "decision",
  },
  "interactions.answer.first-wins": {
    states: "Of two concurrent answers one is accepted; the other is 409.",
    source: "goal",
  },
  "interactions.wait.any-process": {
    states: "Any process accepts an answer, and the task continues immediately.",
    source: "goal",
  },
  "interactions.wait.no-run-slot": {
    states: "A waiting task uses no slot of its process or its workspace.",
    source: "goal",
  },
  "interactions.wait.not-run-time": {
    states: "The waiting time does not count against TASK_TIMEOUT.",
    source: "goal",
  },
  "interactions.wait.paid-once": {
    states: "Steps before a question are not repeated when the run continues.",
    source: "goal",
  },
  "interactions.wait.survives-restart": {
    states: "A waiting task and its deadline survive a restart.",
    source: "decision",
  },
  "interactions.answer.from-console": {
    states: "The console can answer a question.",
    source: "decision",
  },
  "interactions.answer.from-a2a": {
    states: "An A2A message to an input-required task answers its question.",
    source: "decision",
  },
  "interactions.tool.request-approval": {
    states: "The tool request_approval asks for approval.",
    source: "decision",
  },
  "interactions.tool.request-confirmation": {
    states: "The tool request_confirmation asks to confirm data.",
    source: "decision",
  },
  "interactions.tool.request-choice": {
    states: "The tool request_choice asks for a choice.",
    source: "decision",
  },
  "interactions.tool.request-input": {
    states: "The tool request_input asks for text.",
    source: "decision",
  },
  "interactions.tool.request-form": {
    states: "The tool request_form asks to fill in a form.",
    source: "decision",
  },
  "interactions.tool.request-wizard": {
    states: "The tool request_wizard leads through several steps.",
    source: "decision",
  },
  "interactions.approvers.people": {
    states:
      "Approvals of protected tools and of budgets are given by people, signed in or by a person's answer link; a key cannot give them on any surface.",
    source: "goal",
  },
  "interactions.approvers.caller": {
    states: "An agent's config.approvers is people (default), members or caller; caller lets keys approve.",
    source: "goal",
  },
  "interactions.tool.requires-approval": {
    states: "A tool marked requires_approval on the agent runs only after approval.",
    source: "decision",
  },
  "interactions.tool.side-by-side": {
    states: "Of several calls in one turn, those without a question run first; the questions follow one after another.",
    source: "goal",
  },
  "interactions.wizard.one-question-per-step": {
    states: "Each step is an INTERACTION_REQUEST of its type under the wizard's interactionId, with a full timeout.",
    source: "goal",
  },
  "interactions.wizard.conditions": {
    states: "A step's condition compares a field of an earlier step by equals, not_equals or contains.",
    source: "decision",
  },
  "interactions.wizard.unmet-condition-skips": {
    states: "A step whose condition is not met is skipped.",
    source: "decision",
  },
  "interactions.wizard.cancel": {
    states: "wizardCancelled resumes the task, and the tool's result reports the cancellation.",
    source: "decision",
  },
  "interactions.teams.agent-asks": {
    states: "In a team run an agent can ask a person in its turn; the answer is its tool's result.",
    source: "decision",
  },
  "interactions.teams.answer-errors": {
    states: "Wrong, late and foreign answers to a team run's question are rejected like those to a task's.",
    source: "goal",
  },
  "interactions.teams.task-waits-too": {
    states: "The task of a team run waits with it, shows its question and accepts its answer.",
    source: "decision",
  },
  "interactions.teams.respond-as-member": {
    states: "The respond endpoint of an agent accepts answers for tasks and runs of the teams that it is a member of.",
    source: "contract",
  },
  "interactions.teams.timeout": {
    states: "A team run whose question is not answered in time fails, and its task with it.",
    source: "decision",
  },
} as const satisfies Requirements<"interactions">;
