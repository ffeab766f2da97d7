import type { Requirements } from "./requirement.ts";

/** The OpenAI-compatible endpoint: agents and teams as models. */
export const openai = {
  "openai.models": {
    states: "The models are the agents and teams of the key's workspace, by name, or by id where names collide.",
    source: "goal",
  },
  "openai.chat": {
    states: "A chat completion is a run of the agent or team with the whole conversation, with its usage.",
    source: "goal",
  },
  "openai.chat.stream": { states: "A streamed chat completion gives the text as the model writes it.", source: "goal" },
  "openai.responses": { states: "A response is a run of the agent, and can be read again by its id.", source: "goal" },
  "openai.responses.stream": {
    states: "A streamed response that was cut is continued by its id after the last event, without gap or repeat.",
    source: "goal",
  },
  "openai.responses.continue": {
    states: "previous_response_id continues the conversation of an earlier response.",
    source: "goal",
  },
  "openai.responses.cancel": { states: "A response can be cancelled, which cancels its task.", source: "goal" },
  "openai.idempotency": {
    states: "A request sent again with the same Idempotency-Key starts no second run and gets the same reply.",
    source: "decision",
  },
  "openai.errors": {
    states: "Errors have OpenAI's form, name the field, and a failed run is none that clients repeat.",
    source: "decision",
  },
  "openai.client-tools": {
    states:
      "The caller's tools are offered beside the agent's own; a call of one ends the reply, streamed or not, and its result continues the same run on any process.",
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
    states: "A run that waits for its client's results outlives kill -9; its results continue it on another process.",
    source: "goal",
  },
  "openai.cut-stream": {
    states: "A stream whose process was killed is continued on another process without gap or repeat.",
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
    states: "The same results sent again get the same reply; other results are a conflict.",
    source: "goal",
  },
  "openai.client-tools.errors": {
    states: "Tools that cannot be offered and results that fit no call are rejected with the reason.",
    source: "goal",
  },
  "openai.client-tools.choice": {
    states:
      "tool_choice holds for the model's first call of a request; parallel_tool_calls false gives one call a reply.",
    source: "goal",
  },
  "openai.client-tools.expiry": {
    states: "Calls without a result fail the run like a question without an answer.",
    source: "goal",
  },
  "openai.client-tools.person": {
    states: "While a run waits for the client's results it asks for them by a form that a person can fill in.",
    source: "decision",
  },
  "openai.client-tools.history": {
    states: "Calls and results of earlier replies are part of a conversation.",
    source: "goal",
  },
  "openai.client-tools.attempt": {
    states: "An attempt that was not started by the client offers none of its tools.",
    source: "decision",
  },
  "openai.auth": { states: "An envelope key or an access token opens it; other keys are 401.", source: "decision" },
} as const satisfies Requirements<"openai">;
