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
  "openai.auth": { states: "An envelope key or an access token opens it; other keys are 401.", source: "decision" },
} as const satisfies Requirements<"openai">;
