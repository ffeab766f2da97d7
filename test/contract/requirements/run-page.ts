import type { Requirements } from "./requirement.ts";

/** The console's run page: a task or a team's run, its steps, and what is recorded of them. */
export const runPage = {
  "run-page.head.row": {
    states:
      "GET /console/api/runs/{id} takes the id of a task or of a team's run and returns its row, input, result, attempts, agents with their versions, budgets, messages, delegations and files.",
    source: "decision",
  },
  "run-page.steps.digests": {
    states: "With digests=true equal steps of two runs have the same digest, whatever their ids.",
    source: "goal",
  },
  "run-page.head.attempts": {
    states:
      "The head lists all attempts with their status, times, cost and error code; ?attempt= shows an earlier one.",
    source: "decision",
  },
  "run-page.head.executions": {
    states: "The head lists the executions of an attempt: the process, start, end, and how each one ended.",
    source: "decision",
  },
  "run-page.head.waited": {
    states: "The head tells how long a run waited for people, however the wait ended; its page counts on meanwhile.",
    source: "goal",
  },
  "run-page.steps.order": {
    states:
      "GET /console/api/runs/{id}/steps lists the steps flat and in order, parents before their parts, with times, tokens, cost, tries and errors.",
    source: "decision",
  },
  "run-page.steps.live": {
    states: "The steps include work in progress: model calls, tool calls, turns, and the open question.",
    source: "decision",
  },
  "run-page.steps.changed": {
    states:
      "With ended_since, the steps that ended before are left out; the positions of the others and the number of all allow a reader to merge them.",
    source: "goal",
  },
  "run-page.steps.stopped": {
    states:
      "Calls and turns that were in progress when a run or a fan-out ended stay in the list: cancelled, or failed with the run.",
    source: "goal",
  },
  "run-page.steps.unanswered": {
    states: "A question that was never answered is a step with the state and the time in which its run ended.",
    source: "goal",
  },
  "run-page.steps.small": {
    states:
      "A page contains 1,000 steps of at most 250 bytes each on average, compressed if accepted; `after` continues after a key.",
    source: "decision",
  },
  "run-page.step.prompt": {
    states:
      "GET /console/api/runs/{id}/step returns the messages, tools and parameters of a model call as the provider got them, and how many of the messages are repeated.",
    source: "decision",
  },
  "run-page.step.tool": {
    states: "A step that is a tool call has its arguments, its result and its idempotency key.",
    source: "decision",
  },
  "run-page.step.answered-by": {
    states: "A step that is a question has the answer, its author, its time and its surface.",
    source: "decision",
  },
  "run-page.step.tries": {
    states:
      "A retried model call shows each try with its status, message and pause, and the exchange with the provider, without keys.",
    source: "decision",
  },
  "run-page.step.not-recorded": {
    states: "With RECORD_PROMPTS=false and RECORD_RAW=off, prompts and exchanged bodies are not stored.",
    source: "decision",
  },
  "run-page.errors.refused": {
    states: "Foreign and unknown runs, attempts and steps are 404; invalid queries are 400 with their paths.",
    source: "decision",
  },
  "run-page.retention.purged": {
    states: "After the retention the head reports that the steps are purged, and keeps result and cost.",
    source: "decision",
  },
  "run-page.step.message-tokens": {
    states:
      "A model call has an estimate of each message's tokens: the reported ones divided by size, or that of budgets.",
    source: "goal",
  },
  "run-page.step.reserved": {
    states: "A model call under a budget has what was reserved for it, in US dollars and tokens.",
    source: "goal",
  },
  "run-page.fork.task": {
    states:
      "POST /console/api/runs/{id}/fork also takes a task's id: a new task of the same agent starts at a model call, with another model or an additional message.",
    source: "decision",
  },
  "run-page.fork.reuses": {
    states:
      "Steps that a forked task reuses are marked, and are not repeated or paid again, also when it is run again.",
    source: "decision",
  },
  "run-page.fork.answer": {
    states: "A fork of a task can continue with another answer to a question of the step, of every kind.",
    source: "decision",
  },
  "run-page.fork.answer.by": {
    states: "The record of a changed answer has the question, the person who changed it, and changed: true.",
    source: "goal",
  },
  "run-page.fork.output": {
    states:
      "changes.answer as a text replaces a task's model call: the call is not made, and the task ends with the text.",
    source: "goal",
  },
  "run-page.fork.settings": {
    states:
      "A fork gives the agent another system prompt, model, reasoning effort or temperature, also when its conversation continues.",
    source: "goal",
  },
  "run-page.fork.message": {
    states: "A fork of a task answers another message, from its first model call.",
    source: "goal",
  },
  "run-page.fork.tool-results": {
    states:
      "A fork continues from other results of a call's tools, which are not called again; its record says changed.",
    source: "goal",
  },
  "run-page.fork.turn": {
    states: "Any attempt of a conversation that has a reply is forked, with what was said before it.",
    source: "goal",
  },
  "run-page.conversation": {
    states:
      "GET /console/api/runs/{id}/conversation returns the messages of a task in order, each with its reply, duration, cost and forks.",
    source: "goal",
  },
  "run-page.conversations": {
    states:
      "GET /console/api/agents/{id}/conversations lists what people say to an agent in the console, newest first; a fork once it continues.",
    source: "goal",
  },
  "run-page.fork.attempt": {
    states: "A fork names the attempt from which it starts, by default the newest; the head of the new run has it.",
    source: "goal",
  },
  "run-page.fork.team-task": {
    states: "A fork of a team's task forks its team run.",
    source: "decision",
  },
  "run-page.fork.refused": {
    states: "A call that the task has not reached is 409; an invalid change is 400.",
    source: "decision",
  },
  "run-page.retry.task": {
    states: "POST /console/api/runs/{id}/retry forks a failed or cancelled task from its last call.",
    source: "decision",
  },
  "run-page.retry.unanswered": {
    states: "A retry of a run that ended with an unanswered question asks it again.",
    source: "decision",
  },
  "run-page.delete": {
    states:
      "DELETE /console/api/runs/{id} deletes a task or a lone team run with its steps, events, files and budget; an unfinished one is cancelled first, forks and usage stay.",
    source: "goal",
  },
  "run-page.delete.of-task": {
    states: "The team run of a task cannot be deleted without the task: 409 names it.",
    source: "decision",
  },
  "run-page.bulk.cancel": {
    states: "POST /console/api/runs/bulk cancels the tasks and team runs that match a filter or given ids.",
    source: "decision",
  },
  "run-page.bulk.rerun": {
    states: "The same endpoint runs them again, and lists the ones that it skipped because of their state.",
    source: "decision",
  },
  "run-page.bulk.expect": {
    states: "When the number of runs differs from the expected one, the response is 409 and nothing changes.",
    source: "decision",
  },
  "run-page.bulk.together": {
    states: "A bulk change is one transaction, whose statements do not wait for one another.",
    source: "goal",
  },
  "run-page.bulk.refused": {
    states: "A bulk change needs an action, either ids or a filter, and the expected number, at most 500.",
    source: "decision",
  },
  "run-page.events.retry": {
    states: "A CUSTOM event model_retry reports a retry of a model call and its pause.",
    source: "decision",
  },
  "run-page.events.resumed": {
    states:
      "A CUSTOM event run_resumed reports why another process continues a run, and after which step; an answer needs none.",
    source: "decision",
  },
} as const satisfies Requirements<"run-page">;
