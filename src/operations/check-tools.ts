import { approvalTools } from "#domain/agent.ts";
import type { FieldFault } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import { TEAM_TOOLS, customToolId, describeToolNames, isToolName } from "#domain/tool-name.ts";
import type { Transaction } from "#db/database.ts";
import { holdCustomTools } from "#db/queries/custom-tools.ts";

/** The part of an agent that names tools. */
export interface ToolChoice {
  readonly tools?: readonly string[] | undefined;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Checks that every tool that an agent is to have exists: a wrong name would leave the agent without it, or without
 * the approval that it was to need, and nobody would notice. Custom tools that it names are not deleted before the
 * transaction has ended.
 * @param toolNames the tools of this program
 * @param under where the agent stands in what the caller sent
 * @throws AppError `bad_request` with the path of each.
 */
export async function checkTools(
  tx: Transaction,
  toolNames: readonly string[],
  { tools = [], config = {} }: ToolChoice,
  under = "",
): Promise<void> {
  const named = [
    ...tools.map((name, index) => ({ name, path: `${under}tools.${index}`, known: toolNames })),
    ...approvalTools(config).map((name, index) => ({
      name,
      path: `${under}config.requires_approval.${index}`,
      known: [...toolNames, ...TEAM_TOOLS],
    })),
  ];
  const ids = named.flatMap(({ name }) => customToolId(name) ?? []);
  const held = ids.length === 0 ? new Set<string>() : await holdCustomTools(tx, ids);
  const faults = named.flatMap(({ name, path, known }): FieldFault[] => {
    if (!isToolName(name, known)) return [{ path, message: `unknown tool. ${describeToolNames(toolNames)}` }];
    const id = customToolId(name);
    return id === undefined || held.has(id) ? [] : [{ path, message: "the workspace has no such tool" }];
  });
  if (faults.length > 0) throw invalid("body", faults);
}
