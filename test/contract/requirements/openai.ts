import type { Requirements } from "./requirement.ts";

/** The OpenAI-compatible endpoint: agents and teams as models. */
export const openai = {
  "openai.models": {
    states: "The models are the agents and teams of the key's workspace, by name, or by id where names collide.",
    source: "goal",
  },
  "openai.chat": {
    states: "A chat completion runs the agent or team with the whole conversation and returns its usage.",
    source: "goal",
  },
  "openai.chat.stream": {
    states: "A streamed chat completion returns the text as the model generates it.",
    source: "goal",
  },
  "openai.responses": { states: "A response is a run of the agent and can be read later by its id.", source: "goal" },
  "openai.responses.stream": {
    states: "An interrupted response stream resumes by its id after the last event, without gap or repeat.",
    source: "goal",
  },
  "openai.responses.continue": {
    states: "previous_response_id continues the conversation of an earlier response.",
    source: "goal",
  },
  "openai.open-responses": {
    states:
      "Responses have every field that Open Responses requires, and their streams only its events; its compliance scenarios succeed.",
    source: "goal",
  },
  "openai.responses.sequence": {
    states: "The events of a response are numbered without jumps, equally for every reader.",
    source: "goal",
  },
  "openai.responses.echo": {
    states:
      "A response repeats what its request says and applies, when it is read again as well: instructions, metadata, tools, formats.",
    source: "goal",
  },
  "openai.responses.store": {
    states: "A response with store: false can be neither read nor continued by its id.",
    source: "goal",
  },
  "openai.responses.delete": {
    states: "DELETE of a response deletes its task; then it can be neither read nor continued.",
    source: "goal",
  },
  "openai.responses.input-items": {
    states: "The input items of a response are listed, in both orders and by pages.",
    source: "goal",
  },
  "openai.responses.incomplete": {
    states: "A response whose reply was cut or filtered is incomplete, with the reason.",
    source: "goal",
  },
  "openai.responses.cut": {
    states:
      "The text of a response that the model cut is an incomplete item; what a failure or a cancel interrupted stays in progress.",
    source: "goal",
  },
  "openai.questions": {
    states:
      "A question to a person ends a reply instead of keeping the client waiting: it says where the person answers, and by which id the rest can be read.",
    source: "goal",
  },
  "openai.format": {
    states:
      "response_format and text.format give JSON that satisfies the schema, without a change of the agent; what an agent or a team cannot do is rejected.",
    source: "goal",
  },
  "openai.effort": {
    states: "The reasoning effort of a request applies to its run, if the agent's model accepts it.",
    source: "goal",
  },
  "openai.summary": {
    states:
      "The reasoning summary of a request reaches providers that have several; X-Warning names one without effect.",
    source: "goal",
  },
  "openai.files": {
    states: "Images and files in messages reach the model, also in the conversation of later requests.",
    source: "goal",
  },
  "openai.links": {
    states:
      "Images and files by https URL are fetched within limits, never from private networks; one that cannot be read is 400 with the reason.",
    source: "goal",
  },
  "openai.warnings": {
    states: "Parameters without effect, and settings of the agent that override a request, are named in X-Warning.",
    source: "goal",
  },
  "openai.reasoning": {
    states:
      "For an agent that shows its reasoning, responses have reasoning items, streamed or not; for others they have none.",
    source: "goal",
  },
  "openai.foreign-calls": {
    states: "Results of calls that another service made continue a conversation that contains these calls.",
    source: "goal",
  },
  "openai.empty-messages": {
    states: "A message of the assistant may have null as content.",
    source: "goal",
  },
  "openai.responses.cancel": { states: "A response can be cancelled, which cancels its task.", source: "goal" },
  "openai.idempotency": {
    states: "A repeated request with the same Idempotency-Key starts no second run and gets the same reply.",
    source: "decision",
  },
  "openai.errors": {
    states: "Errors have OpenAI's form and name the field; clients do not retry the error of a failed run.",
    source: "decision",
  },
  "openai.client-tools": {
    states:
      "The caller's tools are offered in addition to the agent's own; a call of one ends the reply, streamed or not, and its result continues the same run on any process.",
    source: "goal",
  },
  "openai.client-tools.responses": {
    states: "Function calls end a response, and their outputs make the next response of the same run.",
    source: "goal",
  },
  "openai.client-tools.ai-sdk": {
    states: "The AI SDK's providers for OpenAI drive a run with tools, in one step and streamed.",
    source: "goal",
  },
  "openai.client-tools.durable": {
    states: "A run that waits for its client's results survives kill -9; the results continue it on another process.",
    source: "goal",
  },
  "openai.cut-stream": {
    states: "A stream whose process is killed continues on another process without gap or repeat.",
    source: "goal",
  },
  "openai.python": {
    states: "The official client for Python completes a chat, a stream, a function call and a response.",
    source: "goal",
  },
  "openai.bad-input": {
    states:
      "Malformed, oversize and unsupported requests are rejected in OpenAI's form, with the reason and the field.",
    source: "goal",
  },
  "openai.client-tools.node": {
    states: "The helper runTools of the official client for Node drives a run with the caller's tools.",
    source: "goal",
  },
  "openai.client-tools.repeat": {
    states: "Repeated identical results get the same reply; different results are a conflict.",
    source: "goal",
  },
  "openai.client-tools.errors": {
    states: "Invalid tools and results without a matching call are rejected with the reason.",
    source: "goal",
  },
  "openai.client-tools.choice": {
    states:
      "tool_choice applies to the model's first call of a request; parallel_tool_calls false allows one call a reply.",
    source: "goal",
  },
  "openai.client-tools.expiry": {
    states: "Calls without a result fail the run like an unanswered question.",
    source: "goal",
  },
  "openai.client-tools.person": {
    states: "While a run waits for the client's results, a person can enter them in a form.",
    source: "decision",
  },
  "openai.client-tools.history": {
    states: "Calls and results of earlier replies are part of a conversation.",
    source: "goal",
  },
  "openai.client-tools.attempt": {
    states: "An attempt that the client did not start offers none of its tools.",
    source: "decision",
  },
  "openai.auth": {
    states: "An envelope key or an access token opens the OpenAI API; other keys are 401.",
    source: "decision",
  },
} as const satisfies Requirements<"openai">;
