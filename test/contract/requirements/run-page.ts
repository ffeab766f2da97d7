import type { Requirements } from "./requirement.ts";

/** The console's run page: a task or a team's run, its steps, and what is recorded of them. */
export const runPage = {
  "run-page.head.row": {
    states:
      "GET /console/api/runs/{id} takes the id of a task or of a team's run and returns its row, input, result, attempts, agents with their versions, budgets, messages, delegations and files.",
    source: "decision",
  },
  "run-page.steps.digests": {
    states: "With digests=true steps of two runs that did the same have the same digest, whatever their ids.",
    source: "goal",
  },
  "run-page.head.attempts": {
    states:
      "The head lists all attempts with their status, times, cost and error code; ?attempt= shows an earlier one.",
    source: "decision",
  },
  "run-page.head.executions": {
    states: "The head lists the executions of an attempt: the process, from, to, and how each one ended.",
    source: "decision",
  },
  "run-page.steps.order": {
    states:
      "GET /console/api/runs/{id}/steps lists the steps flat and in order, parents before their parts, with times, tokens, cost, tries and errors.",
    source: "decision",
  },
  "run-page.steps.live": {
    states: "What is in progress is among the steps: model calls, tool calls, turns, and the question that is open.",
    source: "decision",
  },
  "run-page.steps.small": {
    states: "A page holds 1,000 steps, each of at most 250 bytes on average; `after` continues behind a key.",
    source: "decision",
  },
  "run-page.step.prompt": {
    states:
      "GET /console/api/runs/{id}/step returns the messages, tools and parameters of a model call as the provider got them, and says how many of them are not new.",
    source: "decision",
  },
  "run-page.step.tool": {
    states: "A step that is a tool call has its arguments, its result and its idempotency key.",
    source: "decision",
  },
  "run-page.step.answered-by": {
    states: "A step that is a question has the answer, who gave it, when, and through which surface.",
    source: "decision",
  },
  "run-page.step.tries": {
    states:
      "A model call that was retried shows each try with its status, message and pause, and what was exchanged with the provider, without keys.",
    source: "decision",
  },
  "run-page.step.not-recorded": {
    states: "With RECORD_PROMPTS=false and RECORD_RAW=off, prompts and exchanged bodies are not kept.",
    source: "decision",
  },
  "run-page.errors.refused": {
    states:
      "Foreign and unknown runs, attempts and steps are 404; queries that are not as described are 400 with their paths.",
    source: "decision",
  },
  "run-page.retention.purged": {
    states: "After the retention the head says that the steps are purged, and keeps result and cost.",
    source: "decision",
  },
  "run-page.fork.task": {
    states:
      "POST /console/api/runs/{id}/fork takes a task's id as well: a new task of the same agent begins at a call of its model, with another model or something said besides.",
    source: "decision",
  },
  "run-page.fork.reuses": {
    states:
      "What a forked task takes over is not done or paid again, and is marked as taken over, also when it is run again.",
    source: "decision",
  },
  "run-page.fork.answer": {
    states: "A fork of a task can go on with another answer to a question of the step.",
    source: "decision",
  },
  "run-page.fork.team-task": {
    states: "A task that a team does is forked as its team's run.",
    source: "decision",
  },
  "run-page.fork.refused": {
    states: "A call to which the task has not come is 409, a change that does not fit 400.",
    source: "decision",
  },
  "run-page.retry.task": {
    states: "POST /console/api/runs/{id}/retry forks a failed or cancelled task from the call at which it ended.",
    source: "decision",
  },
  "run-page.bulk.cancel": {
    states: "POST /console/api/runs/bulk cancels the tasks and team runs of a filter or of given ids.",
    source: "decision",
  },
  "run-page.bulk.rerun": {
    states: "The same runs them again, and tells which ones were left out for their state.",
    source: "decision",
  },
  "run-page.bulk.expect": {
    states: "When there are not as many runs as expected, it is 409 and nothing is changed.",
    source: "decision",
  },
  "run-page.bulk.refused": {
    states: "A bulk change needs an action, either ids or a filter, and the expected number, of 500 at most.",
    source: "decision",
  },
  "run-page.events.retry": {
    states: "A CUSTOM event model_retry tells that a model call is made again, and after which pause.",
    source: "decision",
  },
  "run-page.events.resumed": {
    states: "A CUSTOM event run_resumed tells why another execution continues a run, and behind which step.",
    source: "decision",
  },
} as const satisfies Requirements<"run-page">;
