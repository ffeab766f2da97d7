import { nearest } from "#lib/text/nearest.ts";
import { approvalTools } from "#domain/agents/agent.ts";
import type { FieldIssue } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import { TEAM_TOOLS, customToolId, describeToolNames, isToolName } from "#domain/tools/tool-name.ts";
import type { Transaction } from "#db/database.ts";
import { lockCustomTools } from "#db/queries/tools/custom-tools.ts";
import { findMcpToolIssues } from "./check-mcp-tools.ts";
import type { NamedTool } from "./check-mcp-tools.ts";

/** The part of an agent that lists tools. */
export interface ToolChoice {
  readonly tools?: readonly string[] | undefined;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Checks that every tool of an agent exists: with a wrong name, it would silently lack the tool, or the approval for
 * it. Locks its custom tools against deletion until the transaction ends.
 * @param toolNames the built-in tools of this version
 * @throws AppError `bad_request` with the path of each.
 */
export async function checkTools(tx: Transaction, toolNames: readonly string[], choice: ToolChoice): Promise<void> {
  const issues = await findToolIssues(tx, toolNames, namedTools(choice, toolNames));
  if (issues.length > 0) throw invalid("body", issues);
}

/** Finds which tools that rules on approvals name do not exist, and locks custom ones like {@link checkTools}. */
export function findRuledToolIssues(
  tx: Transaction,
  toolNames: readonly string[],
  named: readonly NamedTool[],
): Promise<readonly FieldIssue[]> {
  const known = [...toolNames, ...TEAM_TOOLS];
  return findToolIssues(
    tx,
    toolNames,
    named.map((tool) => ({ ...tool, known })),
  );
}

async function findToolIssues(
  tx: Transaction,
  toolNames: readonly string[],
  named: readonly CheckedTool[],
): Promise<readonly FieldIssue[]> {
  return [...(await findOwnIssues(tx, toolNames, named)), ...(await findMcpToolIssues(tx, named))];
}

/**
 * Like {@link checkTools} for an imported agent: a tool of an MCP server may be missing, since the workspace may
 * register the server later. @param under the agent's path in the file @returns warnings about such tools
 */
export async function checkImportedTools(
  tx: Transaction,
  toolNames: readonly string[],
  { under, ...choice }: ToolChoice & { readonly under: string },
): Promise<readonly FieldIssue[]> {
  const named = namedTools(choice, toolNames).map((tool) => ({ ...tool, path: `${under}${tool.path}` }));
  const issues = await findOwnIssues(tx, toolNames, named);
  if (issues.length > 0) throw invalid("body", issues);
  const missing = await findMcpToolIssues(tx, named);
  // Without its index: other tools of the file were left out before.
  return missing.map(({ path, message }) => {
    const name = named.find((tool) => tool.path === path)?.name ?? "";
    return { path: path.replace(/\.\d+$/, ""), message: `"${name}" is kept, but not usable yet: ${message}` };
  });
}

interface CheckedTool extends NamedTool {
  /** The known names. */
  readonly known: readonly string[];
}

function namedTools({ tools = [], config = {} }: ToolChoice, toolNames: readonly string[]): CheckedTool[] {
  return [
    ...tools.map((name, index) => ({ name, path: `tools.${index}`, known: toolNames })),
    ...approvalTools(config).map((name, index) => ({
      name,
      path: `config.requires_approval.${index}`,
      known: [...toolNames, ...TEAM_TOOLS],
    })),
  ];
}

async function findOwnIssues(
  tx: Transaction,
  toolNames: readonly string[],
  named: readonly CheckedTool[],
): Promise<readonly FieldIssue[]> {
  const ids = named.flatMap(({ name }) => customToolId(name) ?? []);
  const held = ids.length === 0 ? new Set<string>() : await lockCustomTools(tx, ids);
  return named.flatMap(({ name, path, known }): FieldIssue[] => {
    if (!isToolName(name, known)) return [{ path, message: unknownTool(name, toolNames) }];
    const id = customToolId(name);
    return id === undefined || held.has(id) ? [] : [{ path, message: "the workspace has no such tool" }];
  });
}

function unknownTool(name: string, toolNames: readonly string[]): string {
  const near = nearest(name, toolNames);
  const hint = near === undefined ? "" : `Did you mean ${near}? `;
  return `unknown tool. ${hint}${describeToolNames(toolNames)}`;
}
