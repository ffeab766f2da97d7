import { anthropicRequest, prefixOf, signatureOf } from "./anthropic-request.ts";
import type { AnthropicBlock, AnthropicRequest } from "./anthropic-request.ts";
import { Rejection } from "./strict-server.ts";
import { openObjects, rootFault } from "./tool-rules.ts";

const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const ID = /^[a-zA-Z0-9_-]+$/;
const MAX_BREAKPOINTS = 4;
/** Models that reject `temperature`. */
const FIXED_TEMPERATURE = /-(?:opus-(?:4-[78]|5)|sonnet-5|haiku-5|fable)/;
/** Models that always think, and cannot be forced to use a tool. */
const ALWAYS_THINKS = /-(?:opus-5-5|sonnet-5-5|fable-5-[12])/;
/** Models that bind thinking to everything before it. */
const BINDS = /-(?:opus|sonnet|haiku)-5-5|-fable-5-[12]/;

/** Checks a request by the rules of https://platform.claude.com/docs/en/api/messages. @throws Rejection */
export function checkAnthropic(body: unknown): void {
  const parsed = anthropicRequest.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const extra = issue?.code === "unrecognized_keys" ? `${issue.keys[0]}: Extra inputs are not permitted` : undefined;
    refuse(extra ?? `${issue?.path.join(".")}: ${issue?.message}`);
  }
  const request = parsed.data;
  checkBlank(request);
  checkTools(request);
  checkParameters(request);
  checkBreakpoints(request);
  checkPairs(request);
  request.messages.forEach((_, index) => checkThinking(request, index));
}

function checkBlank({ system = [], messages }: AnthropicRequest): void {
  const check = (where: string, blocks: readonly AnthropicBlock[]) => {
    for (const block of blocks) {
      if (block.type !== "text") continue;
      if (block.text === "") refuse(`${where}: text content blocks must be non-empty`);
      if (block.text.trim() === "") refuse(`${where}: text content blocks must contain non-whitespace text`);
    }
  };
  check("system", system);
  messages.forEach(({ content }, index) => {
    if (content.length === 0) refuse(`messages.${index}: all messages must have non-empty content`);
    check("messages", content);
  });
  if (messages.at(-1)?.role === "assistant") {
    refuse("This model does not support assistant message prefill. The conversation must end with a user message.");
  }
}

function checkTools({ tools = [] }: AnthropicRequest): void {
  tools.forEach(({ name, input_schema: schema }, index) => {
    const at = `tools.${index}.custom`;
    if (!NAME.test(name)) refuse(`${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
    const fault = rootFault(schema);
    if (fault === "combining") {
      refuse(`${at}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`);
    }
    if (fault === "no type") refuse(`${at}.input_schema.type: Field required`);
  });
  if (new Set(tools.map(({ name }) => name)).size < tools.length) refuse("tools: Tool names must be unique.");
}

function checkParameters(request: AnthropicRequest): void {
  const { model, temperature, tool_choice: choice, thinking, output_config: config, max_tokens: max } = request;
  if (max < 1) refuse("max_tokens: Input should be greater than or equal to 1");
  if (max > 128_000)
    refuse(`max_tokens: ${max} > 128000, which is the maximum allowed number of output tokens for ${model}`);
  if (temperature !== undefined && FIXED_TEMPERATURE.test(model)) refuse("`temperature` is deprecated for this model.");
  const isForced = choice?.type === "any" || choice?.type === "tool";
  if (isForced && (ALWAYS_THINKS.test(model) || thinking?.type === "enabled")) {
    refuse("Thinking may not be enabled when tool_choice forces tool use.");
  }
  if (ALWAYS_THINKS.test(model) && (thinking?.type === "disabled" || thinking?.type === "enabled")) {
    refuse(
      `"thinking.type.${thinking.type}" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`,
    );
  }
  if (openObjects(config?.format?.schema).length > 0) {
    refuse("output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false");
  }
}

function checkBreakpoints({ tools = [], system = [], messages }: AnthropicRequest): void {
  const all: readonly object[] = [...tools, ...system, ...messages.flatMap(({ content }) => content)];
  const found = all.filter((each) => "cache_control" in each && each.cache_control !== undefined).length;
  if (found > MAX_BREAKPOINTS) {
    refuse(`A maximum of ${MAX_BREAKPOINTS} blocks with cache_control may be provided. Found ${found}.`);
  }
}

function checkPairs({ messages }: AnthropicRequest): void {
  messages.forEach(({ content }, index) => {
    for (const [place, block] of content.entries()) {
      const at = `messages.${index}.content.${place}`;
      if (block.type === "tool_use") {
        if (!NAME.test(block.name)) refuse(`${at}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
        if (!ID.test(block.id)) refuse(`${at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
        if (typeof block.input !== "object") refuse(`${at}.tool_use.input: Input should be a valid dictionary`);
        const isAnswered = messages[index + 1]?.content.some(
          (next) => next.type === "tool_result" && next.tool_use_id === block.id,
        );
        if (isAnswered !== true)
          refuse(
            `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${block.id}.`,
          );
      }
      if (block.type === "tool_result") {
        const isCalled = messages[index - 1]?.content.some(
          (before) => before.type === "tool_use" && before.id === block.tool_use_id,
        );
        if (isCalled !== true)
          refuse(`${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${block.tool_use_id}.`);
      }
    }
  });
}

/** Thinking is checked against what it was given for; a call that began with thinking keeps it while it is answered. */
function checkThinking(request: AnthropicRequest, index: number): void {
  const { model, messages } = request;
  const message = messages[index];
  if (message?.role !== "assistant") return;
  message.content.forEach((block, place) => {
    if (block.type !== "thinking") return;
    const at = `messages.${index}.content.${place}: Invalid \`signature\` in \`thinking\` block`;
    if (!block.signature.startsWith(`${model}.`)) refuse(`${at}. The block is bound to a different model.`);
    const { thinking } = block;
    if (BINDS.test(model) && block.signature !== signatureOf(model, { prefix: prefixOf(request, index), thinking })) {
      refuse(
        `${at}. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`,
      );
    }
  });
}

function refuse(message: string): never {
  throw new Rejection(400, { type: "error", error: { type: "invalid_request_error", message }, request_id: "req_1" });
}
