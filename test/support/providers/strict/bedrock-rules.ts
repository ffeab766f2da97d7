import { converseRequest } from "./bedrock-request.ts";
import type { BedrockBlock, ConverseRequest } from "./bedrock-request.ts";
import { Rejection } from "./strict-server.ts";
import { rootFault } from "./tool-rules.ts";

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_CACHE_POINTS = 4;
const CACHES = /anthropic\.claude|amazon\.nova/;
/** Models that reject `temperature`. */
const FIXED_TEMPERATURE = /-(?:opus-(?:4-[78]|5)|sonnet-5|haiku-5|fable)/;
/** Models that always think, and cannot be forced to use a tool. */
const ALWAYS_THINKS = /-(?:opus-5-5|sonnet-5-5|fable-5-[12])/;

/**
 * Checks a request by the rules of https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html; the
 * words of the model's own rules as in https://github.com/langgenius/dify/issues/17545 and others. @throws Rejection
 */
export function checkConverse(model: string, body: unknown): ConverseRequest {
  const parsed = converseRequest.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refuse(`The model returned the following errors: ${issue?.path.join(".")}: ${issue?.message}`);
  }
  const request = parsed.data;
  checkBlank(request);
  checkTools(request);
  checkPairs(request);
  checkModel(model, request);
  checkCache(model, request);
  return request;
}

function checkBlank({ system = [], messages }: ConverseRequest): void {
  const blank = system.findIndex((each) => "text" in each && each.text.trim() === "");
  if (blank !== -1) {
    refuse(
      `The text field in the SystemContentBlock object at system.${blank} is blank. Add text to the text field, and try again.`,
    );
  }
  messages.forEach(({ content }, index) => {
    if (content.length === 0)
      refuse(
        `The content field in the Message object at messages.${index} is empty. Add a ContentBlock object to the content field and try again.`,
      );
    const place = content.findIndex((each) => "text" in each && each.text.trim() === "");
    if (place === -1) return;
    refuse(
      `The text field in the ContentBlock object at messages.${index}.content.${place} is blank. Add text to the text field, and try again.`,
    );
  });
  if (messages[0]?.role !== "user")
    refuse(
      "A conversation must start with a user message. Try again with a conversation that starts with a user message.",
    );
  if (messages.at(-1)?.role !== "user")
    refuse("The model does not support assistant message prefill. The conversation must end with a user message.");
}

function checkTools({ toolConfig, messages }: ConverseRequest): void {
  const usesTools = messages.some(({ content }) => content.some((each) => "toolUse" in each || "toolResult" in each));
  if (usesTools && toolConfig === undefined) {
    refuse("The toolConfig field must be defined when using toolUse and toolResult content blocks.");
  }
  (toolConfig?.tools ?? []).forEach((tool, index) => {
    if (!("toolSpec" in tool)) return;
    const { name, inputSchema } = tool.toolSpec;
    if (!NAME.test(name)) refuseName(name, `toolConfig.tools.${index + 1}.member.toolSpec.name`);
    const fault = rootFault(inputSchema.json);
    if (fault === "combining") {
      refuse(
        `The model returned the following errors: tools.${index}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`,
      );
    }
    if (fault === "no type") {
      refuse(
        `The value at toolConfig.tools.${index}.toolSpec.inputSchema.json.type must be one of the following: object.`,
      );
    }
  });
}

function checkPairs({ messages }: ConverseRequest): void {
  messages.forEach(({ role, content }, index) => {
    content.forEach((each, place) => {
      if ("toolUse" in each && !NAME.test(each.toolUse.name)) {
        refuseName(each.toolUse.name, `messages.${index + 1}.member.content.${place + 1}.member.toolUse.name`);
      }
    });
    if (role === messages[index - 1]?.role) {
      refuse(
        `A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.`,
      );
    }
    const asked = content.flatMap((each) => ("toolUse" in each ? [each.toolUse.toolUseId] : []));
    const answered = answersOf(messages[index + 1]?.content ?? []);
    const open = asked.filter((id) => !answered.includes(id));
    if (open.length > 0) {
      refuse(`Expected toolResult blocks at messages.${index + 1}.content for the following Ids: ${open.join(", ")}`);
    }
    const others = answered.length - asked.length;
    if (others > 0) {
      refuse(
        `The number of toolResult blocks at messages.${index + 1}.content exceeds the number of toolUse blocks of previous turn.`,
      );
    }
  });
}

function answersOf(content: readonly BedrockBlock[]): readonly string[] {
  return content.flatMap((each) => ("toolResult" in each ? [each.toolResult.toolUseId] : []));
}

function checkModel(
  model: string,
  { inferenceConfig, toolConfig, additionalModelRequestFields: fields }: ConverseRequest,
): void {
  if (inferenceConfig?.temperature !== undefined && FIXED_TEMPERATURE.test(model)) {
    refuse("The model returned the following errors: `temperature` is deprecated for this model.");
  }
  if (!ALWAYS_THINKS.test(model)) return;
  const { toolChoice = { auto: {} } } = toolConfig ?? {};
  if (!("auto" in toolChoice)) {
    refuse("The model returned the following errors: Thinking may not be enabled when tool_choice forces tool use.");
  }
  if (fields?.thinking !== undefined && fields.thinking.type !== "adaptive") {
    refuse(
      `The model returned the following errors: "thinking.type.${fields.thinking.type}" is not supported for this model.`,
    );
  }
}

function checkCache(model: string, { system = [], messages, toolConfig }: ConverseRequest): void {
  const all: readonly object[] = [
    ...system,
    ...(toolConfig?.tools ?? []),
    ...messages.flatMap(({ content }) => content),
  ];
  const points = all.filter((each) => "cachePoint" in each).length;
  if (points > 0 && !CACHES.test(model)) {
    const message =
      "You invoked an unsupported model or your request did not allow prompt caching. See the documentation for more information.";
    throw new Rejection(403, { message });
  }
  if (points > MAX_CACHE_POINTS) {
    refuse(
      `The model returned the following errors: A maximum of ${MAX_CACHE_POINTS} blocks with cache_control may be provided. Found ${points}.`,
    );
  }
}

function refuseName(name: string, at: string): never {
  refuse(
    `1 validation error detected: Value '${name}' at '${at}' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+`,
  );
}

function refuse(message: string): never {
  throw new Rejection(400, { message });
}
