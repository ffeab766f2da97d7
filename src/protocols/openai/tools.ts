import { z } from "zod";
import { NO_CLIENT_TOOLS } from "#domain/tools/client-tools.ts";
import type { ClientTools } from "#domain/tools/client-tools.ts";
import { clientFunctions, functionFields, toToolSpec } from "#domain/tools/client-tool-input.ts";
import { invalid } from "#domain/invalid.ts";
import type { ToolSpec } from "#domain/models/model-call.ts";

const functionType = z.literal("function", {
  error: "only tools of the type function are supported: list other tools on the agent",
});
const mode = z.enum(["none", "auto", "required"]);
const choiceError = { error: 'must be "none", "auto", "required", a function or allowed_tools' };

const named = z.looseObject({ name: z.string() });
const namedFunction = named.extend({ type: functionType });
const nestedFunction = z.looseObject({ type: functionType, function: named }).transform((choice) => choice.function);
const allowedTools = z.literal("allowed_tools");
const allowedMode = z.enum(["auto", "required"]);

/** The tools of a request to Chat Completions. */
export const chatTools = {
  tools: clientFunctions(
    z
      .looseObject({ type: functionType, function: z.looseObject(functionFields) })
      .transform((tool) => toToolSpec(tool.function)),
  ).nullish(),
  tool_choice: z
    .union(
      [
        mode,
        nestedFunction,
        z
          .looseObject({
            type: allowedTools,
            allowed_tools: z.looseObject({ mode: allowedMode, tools: z.array(nestedFunction) }),
          })
          .transform(({ allowed_tools: { mode: allowed, tools } }) => ({ mode: allowed, tools })),
      ],
      choiceError,
    )
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
};

/** The tools of a request to Responses. */
export const responseTools = {
  tools: clientFunctions(z.looseObject({ type: functionType, ...functionFields }).transform(toToolSpec)).nullish(),
  tool_choice: z
    .union(
      [mode, namedFunction, z.looseObject({ type: allowedTools, mode: allowedMode, tools: z.array(namedFunction) })],
      choiceError,
    )
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
};

interface NamedTool {
  readonly name: string;
}

/** Which of its tools a request allows. */
interface AllowedTools {
  readonly mode: z.output<typeof allowedMode>;
  readonly tools: readonly NamedTool[];
}

/** The fields of a request that {@link chatTools} and {@link responseTools} read. */
export interface ToolFields {
  readonly tools?: readonly ToolSpec[] | null | undefined;
  readonly tool_choice?: z.output<typeof mode> | NamedTool | AllowedTools | null | undefined;
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
  const parallel = parallel_tool_calls ?? true;
  const named = typeof choice === "string" ? [] : "mode" in choice ? choice.tools : [choice];
  const unknown = named.find(({ name }) => !given.some((tool) => tool.name === name));
  if (unknown !== undefined) {
    throw wrongChoice(`names ${JSON.stringify(unknown.name)}, which is not among the tools`);
  }
  if (typeof choice === "object" && "name" in choice) return { tools: given, choice: { name: choice.name }, parallel };
  const allowed = typeof choice === "string" ? { mode: choice, tools: given } : choice;
  const offered = given.filter(({ name }) => allowed.tools.some((tool) => tool.name === name));
  if (allowed.mode === "required" && offered.length === 0) throw wrongChoice("needs tools");
  return { tools: offered, choice: allowed.mode, parallel };
}

function wrongChoice(message: string) {
  return invalid("body", [{ path: "tool_choice", message }]);
}
