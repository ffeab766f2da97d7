import type { Requirements } from "./requirement.ts";

const CONSOLE = "entering provider keys needs the console, which is not built yet";

/** Model providers: keys, addresses, parameters and faults. */
export const providers = {
  "providers.openai": { states: "A task runs on OpenAI's API.", source: "goal" },
  "providers.anthropic": { states: "A task runs on Anthropic's API.", source: "goal" },
  "providers.google": { states: "A task runs on Google's API.", source: "goal" },
  "providers.bedrock.access-key": {
    states: "Amazon Bedrock is called with an API key, or signed with an access key of AWS.",
    source: "goal",
  },
  "providers.bedrock.fit": {
    states: "Requests to Amazon Bedrock have cache points and tool calls only where it accepts them.",
    source: "goal",
  },
  "providers.vertex.service-account": {
    states:
      "Google Vertex AI is called with an API key, or as a service account, whose access token is used until its end.",
    source: "goal",
  },
  "providers.vertex.token-address": {
    states: "A service account's token is asked for only at Google, or at the host of the base URL.",
    source: "decision",
  },
  "providers.vertex.token-faults": {
    states: "A call without an access token says why, is tried again if Google is away, and can be aborted meanwhile.",
    source: "goal",
  },
  "providers.azure.deployments": {
    states: "Azure OpenAI accepts the name of any deployment, and has the prices of one that is named after its model.",
    source: "goal",
  },
  "providers.clouds.key-test": {
    states: "The test of a key of Azure, Amazon and Google Cloud calls a model with a tool.",
    source: "goal",
  },
  "providers.fields": {
    states: "A connection has the resource, region, project or API of its provider; others are rejected.",
    source: "goal",
  },
  "providers.fields.instance-key": {
    states: "A key of the instance is not sent to a resource, region or project that a workspace names.",
    source: "goal",
  },
  "providers.clouds.environment": {
    states: "Credentials in the environment of the process that are not settings of Muster are not used.",
    source: "goal",
  },
  "providers.compatible": {
    states: "A task runs on any OpenAI-compatible endpoint, with a base URL of the workspace.",
    source: "decision",
  },
  "providers.compatible.no-key": {
    states: "An endpoint that needs no key works without one.",
    source: "goal",
  },
  "providers.demo": {
    states: "The demo provider's model demo replies without key or network.",
    source: "decision",
  },
  "providers.demo.deterministic": {
    states: "The demo model gives the same reply to the same prompt.",
    source: "decision",
  },
  "providers.demo.marked": {
    states: "Text of the demo model is marked as such wherever it appears.",
    source: "decision",
  },
  "providers.demo.tools": {
    states: "Directives in the prompt make the demo model call tools.",
    source: "decision",
  },
  "providers.demo.interactions": {
    states: "Directives in the prompt make the demo model ask its user.",
    source: "decision",
  },
  "providers.key.workspace": {
    states: "A key stored for a workspace is used for its tasks.",
    source: "goal",
  },
  "providers.key.instance": {
    states:
      "OPENAI_API_KEY, ANTHROPIC_API_KEY and GOOGLE_GENERATIVE_AI_API_KEY serve workspaces without a key of their own.",
    source: "goal",
  },
  "providers.key.workspace-before-instance": {
    states: "A workspace's own key takes precedence over the instance's.",
    source: "goal",
  },
  "providers.key.encrypted": {
    states: "Keys of workspaces are stored encrypted with AES-256-GCM and never in plain text.",
    source: "contract",
  },
  "providers.key.scoped": {
    states: "Row-level security keeps a workspace's keys from every other workspace.",
    source: "contract",
  },
  "providers.key.decrypted-at-execution": {
    states: "Only the process that runs tasks decrypts a key, and only to call the provider.",
    source: "contract",
  },
  "providers.key.unreadable": {
    states:
      "A key that cannot be decrypted fails the tasks of its provider with PROVIDER_NOT_CONFIGURED and what to do; others run, and the catalogue says why.",
    source: "goal",
  },
  "providers.key.entered": {
    states: "Users enter the keys of their workspace.",
    source: "contract",
    open: CONSOLE,
  },
  "providers.key.missing-fails-task": {
    states: "A task whose provider has no key fails with a message that names the key and where to add it.",
    source: "goal",
  },
  "providers.key.refused-fails-task": {
    states: "A key that the provider rejects fails the task with a clear message that does not contain the key.",
    source: "goal",
  },
  "providers.base-url.settings": {
    states: "OPENAI_BASE_URL, ANTHROPIC_BASE_URL and GOOGLE_BASE_URL override the providers' base URLs.",
    source: "decision",
  },
  "providers.base-url.workspace": {
    states: "A workspace can set its own base URL for a provider.",
    source: "decision",
  },
  "providers.base-url.guard": {
    states:
      "A workspace's base URL may be in a private network only if the operator allows it; the instance's own may be anywhere.",
    source: "goal",
  },
  "providers.request.system-prompt": {
    states: "The agent's system prompt reaches the provider.",
    source: "goal",
  },
  "providers.request.temperature": {
    states: "The agent's temperature reaches the provider.",
    source: "goal",
  },
  "providers.request.max-tokens": {
    states: "The agent's max_tokens reaches the provider.",
    source: "goal",
  },
  "providers.request.tools": {
    states: "The agent's tools reach the provider with their schemas.",
    source: "goal",
  },
  "providers.stream.deltas": {
    states: "Each provider's text arrives as a stream of deltas.",
    source: "goal",
  },
  "providers.stream.tool-calls": {
    states: "Each provider's tool calls are parsed, with their arguments.",
    source: "goal",
  },
  "providers.stream.usage": {
    states: "Each provider's token counts are parsed.",
    source: "goal",
  },
  "providers.fault.429-retried": {
    states: "A 429 is retried after the time in the provider's Retry-After.",
    source: "goal",
  },
  "providers.fault.429-too-long": {
    states: "A Retry-After of more than a minute is not waited for.",
    source: "decision",
  },
  "providers.fault.pause-cancelled": {
    states: "Cancelling ends the wait before a retry.",
    source: "goal",
  },
  "providers.fault.call-timeout": {
    states: "A call without a complete reply within the timeout is aborted and retried.",
    source: "decision",
  },
  "providers.fault.new-message": {
    states: "An aborted reply ends its message; the retry's reply is a message with a new id.",
    source: "decision",
  },
  "providers.fault.500-retried": { states: "A 5xx is retried.", source: "goal" },
  "providers.fault.cut-stream": {
    states: "An aborted stream is an error and never counts as a complete reply.",
    source: "goal",
  },
  "providers.fault.reported-usage": {
    states: "An interrupted call has the usage that its provider had reported, as far as it covers the reply.",
    source: "goal",
  },
  "providers.fault.retries-exhausted": {
    states: "A persistent error fails the task with the provider's own reason.",
    source: "goal",
  },
  "providers.fault.request-not-retried": {
    states: "A request that the provider rejects as invalid is not retried.",
    source: "goal",
  },
  "providers.fallback-model": {
    states:
      "When the model stays unavailable, the agent's fallback models are called in their order until one replies.",
    source: "goal",
  },
  "providers.fallback-model.model-refused": {
    states: "A model that the provider does not serve is not called again; its fallback is.",
    source: "goal",
  },
  "providers.fallback-model.other-provider": {
    states: "A fallback model of another provider is called there, with that provider's key.",
    source: "goal",
  },
  "providers.fault.flood": {
    states: "A reply beyond the limit of bytes or of line length ends the call with a clear error and is not retried.",
    source: "goal",
  },
  // https://github.com/onyx-dot-app/onyx/issues/15008
  "providers.strict.tools-while-reasoning": {
    states: "An agent with tools runs on OpenAI's models that reason, statelessly, with encrypted reasoning.",
    source: "goal",
  },
  // https://platform.claude.com/docs/en/build-with-claude/extended-thinking#preserving-thinking-blocks
  // https://developers.openai.com/api/docs/guides/reasoning#keeping-reasoning-items-in-context
  // https://ai.google.dev/gemini-api/docs/thought-signatures
  // https://api-docs.deepseek.com/guides/thinking_mode, https://github.com/mastra-ai/mastra/issues/12592
  "providers.strict.reasoning-sent-back": {
    states: "Thinking, encrypted reasoning and reasoning_content go back unchanged with a tool's result.",
    source: "goal",
  },
  "providers.strict.integers": {
    states: "Integers beyond 2^53 in a call's arguments reach the tool, and the vendor again, with all their digits.",
    source: "goal",
  },
  "providers.strict.reasoning-survives": {
    states:
      "Reasoning goes back unchanged after kill -9, after a question that another process sees answered, and in a continued conversation.",
    source: "goal",
  },
  // https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks
  "providers.strict.reasoning-not-elsewhere": {
    states:
      "Reasoning is not sent to another model, after another prompt or with other tools, nor to an endpoint that did not send it in that field.",
    source: "goal",
  },
  // https://platform.claude.com/docs/en/build-with-claude/extended-thinking
  "providers.strict.summaries-on-request": {
    states: "A readable form of the reasoning is asked for only if the agent shows it.",
    source: "goal",
  },
  "providers.strict.text-between-calls": {
    states: "Text between two tool calls is in the conversation that goes back.",
    source: "goal",
  },
  // https://developers.openai.com/api/reference/responses ("string does not match pattern")
  "providers.strict.invented-tool": {
    states: "A tool name that the model invented reaches no vendor in a form that it rejects.",
    source: "goal",
  },
  // https://github.com/anthropics/claude-code/issues/23352, https://github.com/anthropics/claude-code/issues/59812
  "providers.strict.blank-texts": {
    states: "An empty system prompt, and blank text beside a tool call, are not sent.",
    source: "goal",
  },
  // https://github.com/anthropics/claude-code/issues/40075, https://github.com/nspady/google-calendar-mcp/issues/39
  "providers.strict.root-alternatives": {
    states:
      "A tool whose schema some vendor rejects, as one with alternatives at its root, is offered and called on every provider.",
    source: "goal",
  },
  // https://github.com/BerriAI/litellm/issues/17761
  "providers.strict.roles": {
    states: "A run at its last allowed call completes where no user message may follow a tool's.",
    source: "goal",
  },
  "providers.strict.call-ids": {
    states: "The ids of tool calls have the form that the vendor requires, in the history of another model as well.",
    source: "goal",
  },
  // https://github.com/Mintplex-Labs/anything-llm/issues/5461
  "providers.strict.field-to-change": {
    states: "When a provider rejects a setting of the agent, the task's error has its words and the field to change.",
    source: "goal",
  },
  "providers.strict.parameters": {
    states: "A temperature reaches only models that accept it; a note of the step says that it was left out.",
    source: "goal",
  },
  "providers.strict.limit-name": {
    states: "An endpoint that wants max_completion_tokens gets it; this is learned once per connection and model.",
    source: "goal",
  },
  // https://platform.claude.com/docs/en/build-with-claude/structured-outputs
  "providers.strict.output-schema": {
    states: "The schema of a result has the form that each vendor accepts.",
    source: "goal",
  },
  // https://platform.claude.com/docs/en/build-with-claude/prompt-caching
  // https://developers.openai.com/api/docs/guides/prompt-caching, https://ai.google.dev/gemini-api/docs/caching
  "providers.strict.cache-share": {
    states: "At least 70 % of the input of calls 2 to 10 of a tool loop is read from each vendor's cache.",
    source: "goal",
  },
  "providers.strict.odd-chunks": {
    states: "Chunks of an unknown form are skipped, and token counts are read as text, too.",
    source: "goal",
  },
  "providers.strict.vendor-words": {
    states:
      "A vendor's words reach the task's error as plain text, as a list of details and inside the stream; another try follows the status.",
    source: "goal",
  },
  "providers.strict.gzip": {
    states: "A compressed reply is read although none was asked for.",
    source: "goal",
  },
  // https://docs.vllm.ai/en/latest/features/reasoning_outputs.html
  "providers.strict.think-tags": {
    states: "What an open model thinks in <think> tags at the beginning of its reply is reasoning, not result.",
    source: "goal",
  },
  "providers.strict.reasoning-details": {
    states: "An endpoint that sends details of its reasoning gets them back unmodified.",
    source: "goal",
  },
  "providers.strict.dropped-parameters": {
    states: "A temperature or effort that a compatible endpoint rejects is left out from then on; the step notes it.",
    source: "decision",
  },
  "providers.strict.alternating-roles": {
    states: "An endpoint that wants roles to alternate gets messages of the same role as one.",
    source: "goal",
  },
  "providers.strict.json-beside-tools": {
    states: "An endpoint that takes no schema of the result beside tools gets none; the prompt has it.",
    source: "goal",
  },
  "providers.strict.malformed-call": {
    states: "A call that an endpoint could not read in the model's reply is tried again.",
    source: "goal",
  },
  "providers.strict.reasoning-apart": {
    states: "Reasoning that an endpoint counts beside the reply's tokens is counted and billed.",
    source: "goal",
  },
  "providers.strict.loading": {
    states: "A server that says 503 while it loads its model is asked again.",
    source: "goal",
  },
  "providers.strict.no-responses-kept": {
    states: "That a base URL of OpenAI has no Responses API is kept with the connection, or set for the instance.",
    source: "goal",
  },
  "providers.strict.no-responses": {
    states: "A base URL of openai without a Responses API is found by its first call, and called by Chat Completions.",
    source: "goal",
  },
  "providers.strict.key-test": {
    states: "The test of a key makes a call with a tool, and reports the vendor's words.",
    source: "goal",
  },
  "providers.strict.exact-digits": {
    states: "Integers above 2^53 keep their digits in tool calls and in the history.",
    source: "goal",
  },
} as const satisfies Requirements<"providers">;
