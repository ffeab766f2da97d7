import { z } from "zod";
import { Rejection } from "./strict-server.ts";
import { besideReference, rootFault } from "./tool-rules.ts";
import { digest } from "./tokens.ts";

const functionCall = z.looseObject({ name: z.string(), args: z.unknown() });

const part = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  functionCall: functionCall.optional(),
  functionResponse: z.looseObject({ name: z.string() }).optional(),
  thoughtSignature: z.string().optional(),
});

/** A request to generateContent. */
export const googleRequest = z.strictObject({
  contents: z.array(z.strictObject({ role: z.enum(["user", "model"]), parts: z.array(part) })),
  systemInstruction: z.looseObject({ parts: z.array(part) }).optional(),
  tools: z
    .array(
      z.looseObject({
        functionDeclarations: z
          .array(z.looseObject({ name: z.string(), parametersJsonSchema: z.unknown() }))
          .optional(),
      }),
    )
    .optional(),
  toolConfig: z.looseObject({ functionCallingConfig: z.looseObject({ mode: z.string() }).optional() }).optional(),
  generationConfig: z
    .looseObject({
      responseMimeType: z.string().optional(),
      thinkingConfig: z
        .looseObject({ thinkingLevel: z.string().optional(), thinkingBudget: z.number().optional() })
        .optional(),
    })
    .optional(),
  safetySettings: z.unknown().optional(),
});

type GoogleRequest = z.output<typeof googleRequest>;
type Part = z.output<typeof part>;

const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/;
const SIGNS = /^gemini-[3-9]/;
/** What clients send for calls that no Gemini model has made. */
const NOT_OWN = "skip_thought_signature_validator";

/** The signature of a function call. */
export function signatureOf(model: string, call: z.output<typeof functionCall>): string {
  return digest(model, call.name, call.args);
}

/** Checks a request by the rules of https://ai.google.dev/api/generate-content. @throws Rejection */
export function checkGoogle(model: string, body: unknown): void {
  const parsed = googleRequest.safeParse(body);
  if (!parsed.success) {
    return refuse(`Invalid JSON payload received. ${parsed.error.issues[0]?.message}: Cannot find field.`);
  }
  const request = parsed.data;
  checkConfig(model, request);
  checkTools(request);
  checkContents(request);
  if (SIGNS.test(model)) checkSignatures(model, request);
}

function checkConfig(model: string, { systemInstruction, generationConfig, toolConfig, tools = [] }: GoogleRequest) {
  if (systemInstruction?.parts.some(({ text }) => text === "")) {
    refuse(
      "* GenerateContentRequest.system_instruction.parts[0].data: required oneof field 'data' must have one initialized field",
    );
  }
  const { thinkingConfig: thinking, responseMimeType } = generationConfig ?? {};
  if (thinking?.thinkingLevel === "minimal" && model.startsWith("gemini-4")) {
    refuse("Thinking level MINIMAL is not supported for this model. Please retry with other thinking level.");
  }
  if (responseMimeType !== "application/json" || tools.length === 0) return;
  if (!SIGNS.test(model)) refuse("Function calling with a response mime type: 'application/json' is unsupported");
  if (toolConfig?.functionCallingConfig?.mode === "ANY") {
    refuse("Forced function calling (ANY mode) with a response mime type: 'application/json' is unsupported");
  }
}

function checkTools({ tools = [] }: GoogleRequest): void {
  const declared = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
  declared.forEach(({ name, parametersJsonSchema: schema }, index) => {
    const at = `* GenerateContentRequest.tools[0].function_declarations[${index}]`;
    if (!NAME.test(name)) refuse(`${at}.name: [FIELD_INVALID] Invalid function name.`);
    if (schema !== undefined && rootFault(schema) !== undefined) {
      refuse(`${at}.parameters: parameters schema should be of type OBJECT`);
    }
    const reference = besideReference(schema);
    if (reference !== undefined) {
      refuse(
        `$ref '${reference}' was set alongside unsupported fields. If a schema node has $ref set, then only description and default can be set alongside it`,
      );
    }
  });
}

function checkContents({ contents }: GoogleRequest): void {
  contents.forEach(({ role, parts }, index) => {
    if (parts.length === 0)
      refuse(`* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.`);
    const called = countOf(parts, "functionCall");
    const answered = countOf(contents[index + 1]?.parts ?? [], "functionResponse");
    if (role === "model" && called !== answered) {
      refuse(
        "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
      );
    }
    if (called > 0 && contents[index - 1]?.role !== "user") {
      refuse(
        "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
      );
    }
  });
  if (contents.at(-1)?.role !== "user") {
    refuse("Please ensure that single turn requests end with a user role or the role field is unspecified.");
  }
}

/** The calls of the current turn, which begins with the last text of the user, must be signed. */
function checkSignatures(model: string, { contents }: GoogleRequest): void {
  const begin = contents.findLastIndex(
    ({ role, parts }) => role === "user" && countOf(parts, "functionResponse") === 0,
  );
  for (const [index, { parts }] of contents.entries()) {
    if (index < begin) continue;
    const first = parts.find((each) => each.functionCall !== undefined);
    if (first?.functionCall === undefined) continue;
    const { thoughtSignature: signature, functionCall: call } = first;
    if (signature === undefined) {
      refuse(
        `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly. Additional data, function call \`default_api:${call.name}\`, position ${index}.`,
      );
    }
    if (signature !== NOT_OWN && signature !== signatureOf(model, call)) refuse("Thought signature is not valid");
  }
}

function countOf(parts: readonly Part[], key: "functionCall" | "functionResponse"): number {
  return parts.filter((each) => each[key] !== undefined).length;
}

function refuse(message: string): never {
  throw new Rejection(400, { error: { code: 400, message, status: "INVALID_ARGUMENT" } });
}
