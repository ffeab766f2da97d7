import type { Requirements } from "./requirement.ts";

/** Agents: their fields, what may be written, and the state that follows from their tasks. */
export const agents = {
  "agents.record.fields": {
    states:
      "An agent record has id, name, description, model, provider, system_prompt, temperature, max_tokens, tags, tools, status, output_route_ids, is_marketplace, workspace_id, created_at and updated_at.",
    source: "contract",
  },
  "agents.record.id-is-uuid": {
    states: "The id and the workspace_id of an agent are UUIDs.",
    source: "contract",
  },
  "agents.record.timestamps-iso": {
    states: "created_at and updated_at are ISO 8601 timestamps.",
    source: "contract",
  },
  "agents.record.read-back": {
    states: "A read returns the values of the last create or change, field by field.",
    source: "decision",
  },
  "agents.list.all": {
    states: "GET without an id lists the agents of the caller's workspace.",
    source: "contract",
  },
  "agents.get.one": {
    states: "GET with an id returns that agent alone, not a list.",
    source: "contract",
  },
  "agents.create.returns-record": {
    states: "POST returns the created agent.",
    source: "contract",
  },
  "agents.create.name-required": {
    states: 'An agent without a name is rejected with 400 and the path "name".',
    source: "contract",
  },
  "agents.create.name-length": {
    states: "A name must have 1 to 100 characters; an empty or a longer one is 400.",
    source: "decision",
  },
  "agents.create.model-required": {
    states: 'An agent without a model is rejected with 400 and the path "model".',
    source: "contract",
  },
  "agents.create.minimal": {
    states: "A name and a model are enough to create an agent.",
    source: "decision",
  },
  "agents.create.defaults": {
    states:
      "Defaults of absent fields: an empty description, temperature 0.7, no tools, no tags, status idle, no fallback models, the provider's own reasoning.",
    source: "decision",
  },
  "agents.create.system-prompt-default": {
    states: 'Without a system prompt an agent gets "You are a helpful AI assistant."',
    source: "decision",
  },
  "agents.create.output-routes-default-null": {
    states: "Without output_route_ids the field is null, which means every active route.",
    source: "contract",
  },
  "agents.create.output-routes-list": {
    states: "output_route_ids accepts an empty list and a list of the workspace's routes and stores them unchanged.",
    source: "contract",
  },
  "agents.create.output-routes-known": {
    states: "An output route that does not belong to the workspace is rejected, in agents and teams, on every surface.",
    source: "decision",
  },
  "agents.output-routes.deleted": {
    states: "The unchanged record of an agent whose output route was deleted is accepted.",
    source: "decision",
  },
  "agents.create.name-blank": {
    states: "A blank name or title is rejected.",
    source: "decision",
  },
  "agents.create.temperature-range": {
    states: "A temperature outside 0 to 2 is 400.",
    source: "decision",
  },
  "agents.create.max-tokens-integer": {
    states: "max_tokens is optional; a value that is not a positive whole number is 400.",
    source: "contract",
  },
  "agents.create.tags-at-most-20": { states: "More than 20 tags are 400.", source: "decision" },
  "agents.create.tools-are-names": {
    states: "tools is a list of tool names; any value that is not a list of strings is 400.",
    source: "contract",
  },
  "agents.config.digits": {
    states: "Integers above 2^53 in an agent's config keep their digits.",
    source: "goal",
  },
  "agents.create.status-ignored": {
    states: "On creation status is accepted and ignored; a value that no agent has is 400.",
    source: "decision",
  },
  "agents.create.provider-derived": {
    states: "Without a provider, the service sets the one that serves the model.",
    source: "decision",
  },
  "agents.create.unknown-model-400": {
    states: "A model that no configured provider serves is 400, and the message lists the known models.",
    source: "decision",
  },
  "agents.create.custom-endpoint-any-model": {
    states: "A model outside the catalogue is accepted when provider names a custom endpoint.",
    source: "decision",
  },
  "agents.write.text-fields": {
    states: "name, description, model, fallback_model, provider and system_prompt can be set on create and on change.",
    source: "decision",
  },
  "agents.write.model-settings": {
    states: "temperature, max_tokens, tags and tools can be set on create and on change.",
    source: "decision",
  },
  "agents.write.fallback-models": {
    states:
      "fallback_models is an ordered list of at most 5 different models, without the agent's own; fallback_model is its first. Setting fallback_model replaces the first, null empties the list; two contradicting fields are 400.",
    source: "goal",
  },
  "agents.write.temperature-null": {
    states: "temperature is 0.7 unless it is set; null means that none is sent.",
    source: "goal",
  },
  "agents.write.reasoning": {
    states:
      "reasoning has effort and show; a change keeps the absent one. An effort that a model of the catalogue does not accept is 400, naming those it accepts.",
    source: "goal",
  },
  "agents.write.output-schema": {
    states:
      "output_schema is a JSON Schema or null. It is stored in the order of its properties, in versions, files and copies, too; what is no usable schema is 400.",
    source: "goal",
  },
  "agents.output-schema.native": {
    states:
      "A model that can be held to a schema gets the agent's output_schema; the prompt of each model contains it. A note says where it is only in the prompt.",
    source: "goal",
  },
  "agents.output-schema.result": {
    states:
      "The result of an agent with an output_schema is JSON text that satisfies it, as the model wrote it; a block of Markdown around it is removed.",
    source: "goal",
  },
  "agents.output-schema.repair": {
    states: "A result that violates the output_schema is corrected once by a further model call, a step of its own.",
    source: "goal",
  },
  "agents.output-schema.invalid": {
    states: "A result that still violates the output_schema fails the run with OUTPUT_INVALID and the paths.",
    source: "goal",
  },
  "agents.output-schema.retry": {
    states: "A retry of a run with an invalid result repeats only the correction.",
    source: "goal",
  },
  "agents.output-schema.brain": {
    states: "final_answer rejects a result that violates the output_schema of the brain.",
    source: "goal",
  },
  "agents.write.prompt-caching": {
    states: "prompt_caching is true unless it is set to false.",
    source: "goal",
  },
  "agents.create.newer-model": {
    states:
      "A model outside the catalogue is accepted with its provider, and called there; a warning says that its price and limits are unknown.",
    source: "goal",
  },
  "agents.create.fallback-without-key": {
    states: "A fallback model whose provider has no key is accepted with a warning that says which key to add.",
    source: "goal",
  },
  "agents.write.voice-and-template-inline": {
    states: "A voice_profile and an output_template given inline are validated, stored and returned.",
    source: "decision",
  },
  "agents.write.publication-flags": {
    states:
      "is_marketplace, marketplace_tags, is_mcp_published and is_a2a_published can be set on create and on change.",
    source: "decision",
  },
  "agents.write.config": {
    states: "config takes any JSON object and returns it unchanged.",
    source: "decision",
  },
  "agents.write.voice-profile-id": {
    states: "voice_profile_id selects a saved voice profile of the workspace.",
    source: "decision",
  },
  "agents.write.output-template-id": {
    states: "output_template_id selects a saved output template of the workspace.",
    source: "decision",
  },
  "agents.write.knowledge-base-ids": {
    states:
      "knowledge_base_ids restricts an agent to these knowledge bases; [] allows all of the workspace's. An id outside the workspace is 400; the error names the field.",
    source: "decision",
  },
  "agents.patch.returns-record": {
    states: "PATCH returns 200 with the changed agent.",
    source: "contract",
  },
  "agents.patch.keeps-other-fields": {
    states: "PATCH changes only the fields in its body.",
    source: "decision",
  },
  "agents.patch.validated": {
    states: "PATCH validates each field as POST does; errors contain the path of an invalid field.",
    source: "decision",
  },
  "agents.patch.status-not-writable": {
    states: "PATCH cannot change an agent's status.",
    source: "decision",
  },
  "agents.patch.touches-updated-at": {
    states: "PATCH sets updated_at to a later time and keeps created_at.",
    source: "contract",
  },
  "agents.delete.removes": {
    states: "DELETE removes the agent from reads and lists.",
    source: "contract",
  },
  "agents.status.initial-idle": { states: "A new agent is idle.", source: "contract" },
  "agents.status.running-while-tasks-run": {
    states: "An agent is running while at least one of its tasks runs.",
    source: "contract",
  },
  "agents.status.running-while-dispatched": {
    states: "An agent is running while a task that was dispatched to it has not ended.",
    source: "decision",
  },
  "agents.status.running-in-a-team": {
    states: "An agent is running while a run of its team is in progress.",
    source: "decision",
  },
  "agents.status.idle-after-success": {
    states: "An agent whose last finished task completed is idle.",
    source: "contract",
  },
  "agents.status.failed-after-failure": {
    states: "An agent whose last finished task failed is failed.",
    source: "contract",
  },
  "agents.status.leaves-failed": {
    states: "A failed agent is running as soon as one of its tasks runs, and idle after one completes.",
    source: "decision",
  },
  "agents.namesake-warning": {
    states: "Creating an agent with an existing name succeeds with a warning in the response.",
    source: "decision",
  },
} as const satisfies Requirements<"agents">;
