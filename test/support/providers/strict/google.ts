import type { ServerResponse } from "node:http";
import { parseExactly } from "#lib/text/exact-json.ts";
import { checkGoogle, googleRequest, signatureOf } from "./google-rules.ts";
import { sendEvent, startStrictServer } from "./strict-server.ts";
import type { StrictPart, StrictReply, StrictRequest, StrictServer, StrictVendor } from "./strict-server.ts";
import { createPrefixCache } from "./tokens.ts";

const CACHE = { minimum: 4_096, step: 1 };
const MODEL = /\/models\/([^:]+):/;

/** Starts Gemini's API. It signs its function calls, and caches implicitly as documented. */
export function startGoogle(): Promise<StrictServer> {
  return startGemini({ basePath: "/v1beta", check: () => undefined });
}

/** Where Gemini is, and the rules before its own. */
export interface GeminiPlace extends Pick<StrictVendor, "basePath" | "aside"> {
  /** @throws Rejection */
  check(request: StrictRequest): void;
}

/** Starts Gemini's API at a place. */
export function startGemini({ check, ...place }: GeminiPlace): Promise<StrictServer> {
  const cache = createPrefixCache(CACHE);
  return startStrictServer({
    ...place,
    reply(request) {
      check(request);
      const { path, body } = request;
      const model = MODEL.exec(path)?.[1] ?? "";
      checkGoogle(model, body);
      const { tools = [], systemInstruction = {}, contents } = googleRequest.parse(body);
      const { total, cached } = cache.read([tools, systemInstruction, ...contents]);
      return (response, reply) => write(response, { model, reply, input: { total, cached } });
    },
  });
}

interface Answer {
  readonly model: string;
  readonly reply: StrictReply;
  readonly input: { readonly total: number; readonly cached: number };
}

function write(response: ServerResponse, { model, reply, input }: Answer): void {
  for (const part of reply.parts) {
    sendEvent(response, { candidates: [{ content: { role: "model", parts: [partOf(part, model)] } }] });
  }
  sendEvent(response, {
    candidates: [{ content: { role: "model", parts: [] }, finishReason: reply.finish ?? "STOP" }],
    usageMetadata: {
      promptTokenCount: input.total,
      cachedContentTokenCount: input.cached,
      candidatesTokenCount: 4,
      thoughtsTokenCount: 3,
    },
  });
  response.end();
}

function partOf(part: StrictPart, model: string): object {
  switch (part.type) {
    case "text":
      return { text: part.text };
    case "reasoning":
      return { text: part.text, thought: true };
    case "call": {
      const functionCall = {
        name: part.name,
        args: typeof part.args === "string" ? parseExactly(part.args) : part.args,
      };
      return { functionCall, thoughtSignature: signatureOf(model, functionCall) };
    }
  }
}
