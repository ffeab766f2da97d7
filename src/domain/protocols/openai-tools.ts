import { z } from "zod";
import { NO_CLIENT_TOOLS } from "../tools/client-tools.ts";
import type { ClientTools } from "../tools/client-tools.ts";
import { clientFunctions, functionFields, toToolSpec } from "../tools/client-tool-input.ts";
import { invalid } from "../invalid.ts";
import type { ToolSpec } from "../models/model-call.ts";

const functionType = z.literal("function", {
  error: "only tools of the type function are supported: list other tools on the agent",
});
const mode = z.enum(["none", "auto", "required"]);
const choiceError = { error: 'must be "none", "auto", "required" or a function' };

const named = z.looseObject({ name: z.string() });

/** The tools of a request to Chat Completions. */
export const chatTools = {
  tools: clientFunctions(
    z
      .looseObject({ type: functionType, function: z.looseObject(functionFields) })
      .transform((tool) => toToolSpec(tool.function)),
  ).nullish(),
  tool_choice: z
    .union(
      [mode, z.looseObject({ type: functionType, function: named }).transform((choice) => choice.function)],
      choiceError,
    )
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
};

/** The tools of a request to Responses. */
export const responseTools = {
  tools: clientFunctions(z.looseObject({ type: functionType, ...functionFields }).transform(toToolSpec)).nullish(),
  tool_choice: z.union([mode, named.extend({ type: functionType })], choiceError).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
};

/** The fields of a request that {@link chatTools} and {@link responseTools} read. */
export interface ToolFields {
  readonly tools?: readonly ToolSpec[] | null | undefined;
  readonly tool_choice?: z.output<typeof mode> | { readonly name: string } | null | undefined;
  readonly parallel_tool_calls?: boolean | null | undefined;
}

/**
 * Reads the client tools of a request. With the choice `none`, the agent still has its own tools.
 * @throws AppError `bad_request` for a choice of a tool that the request does not contain.
 */
export function readClientTools({ tools, tool_choice, parallel_tool_calls }: ToolFields): ClientTools {
  const choice = tool_choice ?? "auto";
  if (choice === "none") return NO_CLIENT_TOOLS;
  const given = tools ?? [];
  if (choice === "required" && given.length === 0) throw wrongChoice("needs tools");
  if (typeof choice === "object" && !given.some(({ name }) => name === choice.name)) {
    throw wrongChoice(`names ${JSON.stringify(choice.name)}, which is not among the tools`);
  }
  return {
    tools: given,
    choice: typeof choice === "object" ? { name: choice.name } : choice,
    parallel: parallel_tool_calls ?? true,
  };
}

function wrongChoice(message: string) {
  return invalid("body", [{ path: "tool_choice", message }]);
}
