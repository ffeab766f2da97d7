import type { ServerResponse } from "node:http";
import { FRAMES, eventFrame } from "./bedrock-frames.ts";
import type { ConverseRequest } from "./bedrock-request.ts";
import { checkConverse } from "./bedrock-rules.ts";
import { checkAwsSignature } from "./aws-signature.ts";
import { Rejection, argumentsOf, startStrictServer } from "./strict-server.ts";
import type { StrictPart, StrictReply, StrictRequest, StrictServer } from "./strict-server.ts";
import { digest } from "./tokens.ts";

const PATH = /^\/model\/([^/]+)\/converse-stream$/;

/** Starts Bedrock's Converse API. Claude thinks there, and signs its thinking. */
export function startBedrock(): Promise<StrictServer> {
  const thoughtful = new Set<string>();
  return startStrictServer({
    basePath: "",
    reply(received) {
      checkKey(received);
      const model = decodeURIComponent(PATH.exec(received.path)?.[1] ?? refuse(404, "Not Found"));
      const request = checkConverse(model, received.body);
      checkKept(model, request, thoughtful);
      return (response, reply) => {
        const isThoughtful = reply.parts.some(({ type }) => type === "reasoning");
        thoughtful[isThoughtful ? "add" : "delete"](prefixOf(model, request));
        write(response, { model, reply, request });
      };
    },
  });
}

function checkKey({ path, headers, text }: StrictRequest): void {
  const { authorization = "" } = headers;
  if (/^Bearer \S+$/.test(authorization)) return;
  if (authorization === "") refuse(403, "Missing Authentication Token");
  const fault = checkAwsSignature({ path, headers, text, authorization });
  if (fault !== undefined) refuse(403, fault);
}

/** A reply that began with thinking goes back with it. */
function checkKept(model: string, { messages, ...request }: ConverseRequest, thoughtful: ReadonlySet<string>): void {
  messages.forEach(({ role, content }, index) => {
    if (role !== "assistant") return;
    const thought = content.find((each) => "reasoningContent" in each);
    const before = { ...request, messages: messages.slice(0, index) };
    if (thought === undefined) {
      if (!thoughtful.has(prefixOf(model, before))) return;
      refuse(
        400,
        `The model returned the following errors: messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`tool_use\`.`,
      );
    }
    const { text, signature } = thought.reasoningContent.reasoningText;
    if (signature === signatureOf(model, { prefix: prefixOf(model, before), text })) return;
    refuse(
      400,
      `The model returned the following errors: messages.${index}.content.0: Invalid \`signature\` in \`thinking\` block`,
    );
  });
}

/** What thinking is bound to: everything before it, cache points excepted. */
function prefixOf(model: string, { system, toolConfig, messages }: Omit<ConverseRequest, "inferenceConfig">): string {
  const bare = JSON.stringify([system, toolConfig, messages], (_, value: unknown) =>
    Array.isArray(value)
      ? value.filter((each) => !(typeof each === "object" && each !== null && "cachePoint" in each))
      : value,
  );
  return digest(model, bare);
}

function signatureOf(model: string, { prefix, text }: { readonly prefix: string; readonly text: string }): string {
  return `${model}.${digest(prefix, text)}`;
}

interface Answer {
  readonly model: string;
  readonly reply: StrictReply;
  readonly request: ConverseRequest;
}

function write(response: ServerResponse, { model, reply, request }: Answer): void {
  const { parts, finish = parts.some(({ type }) => type === "call") ? "tool_use" : "end_turn" } = reply;
  response.writeHead(200, { "content-type": FRAMES });
  const send = (type: string, payload: object) => response.write(eventFrame(type, payload));
  send("messageStart", { role: "assistant" });
  parts.forEach((part, contentBlockIndex) => {
    const [start, ...deltas] = blockOf(part, { model, request });
    if (start !== undefined) send("contentBlockStart", { contentBlockIndex, start });
    for (const delta of deltas) send("contentBlockDelta", { contentBlockIndex, delta });
    send("contentBlockStop", { contentBlockIndex });
  });
  send("messageStop", { stopReason: finish });
  send("metadata", { usage: { inputTokens: 11, outputTokens: 7, totalTokens: 18 }, metrics: { latencyMs: 1 } });
  response.end();
}

/** How a block begins, if it says so, and what follows. Thinking is shown only to those who ask for it. */
function blockOf(
  part: StrictPart,
  { model, request }: Pick<Answer, "model" | "request">,
): readonly [object | undefined, ...object[]] {
  switch (part.type) {
    case "text":
      return [undefined, { text: part.text }];
    case "reasoning": {
      const isShown = request.additionalModelRequestFields?.thinking?.display === "summarized";
      const text = isShown ? part.text : "";
      const signature = signatureOf(model, { prefix: prefixOf(model, request), text });
      return [undefined, ...(isShown ? [{ reasoningContent: { text } }] : []), { reasoningContent: { signature } }];
    }
    case "call":
      return [
        { toolUse: { toolUseId: part.id ?? "tooluse_1", name: part.name } },
        { toolUse: { input: argumentsOf(part) } },
      ];
  }
}

function refuse(status: number, message: string): never {
  throw new Rejection(status, { message });
}
