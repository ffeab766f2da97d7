import type { AgentCreate } from "#domain/agents/agent.ts";
import type { ApprovalPolicy } from "#domain/approvals/policy.ts";
import type { FieldIssue } from "#domain/errors.ts";
import { readMcpToolName } from "#domain/tools/mcp-server.ts";
import type { Transaction } from "#db/database.ts";
import { findUnmeetable } from "../tools/check-approvals.ts";
import { findRuledToolIssues } from "../tools/check-tools.ts";
import { nameAsked } from "../tools/name-asked.ts";
import type { Workspace } from "../workspace.ts";

/** The config of an agent from elsewhere. */
export interface ForeignConfig {
  readonly config: AgentCreate["config"];
  /** Its path in the file. */
  readonly path: string;
}

/**
 * Fits the rules on approvals of an agent from elsewhere to this workspace. Rules for tools that it lacks are left out,
 * people who are no members, and channels. A rule that then nobody could meet asks the admins, or its starter as well: it never
 * asks less than before, and each change is a warning.
 */
export async function importApprovals(
  tx: Transaction,
  workspace: Pick<Workspace, "toolNames" | "who">,
  { config, path }: ForeignConfig,
): Promise<{ readonly config: AgentCreate["config"]; readonly warnings: readonly FieldIssue[] }> {
  const given = config.approvals;
  if (given === undefined || given.length === 0) return { config, warnings: [] };
  const at = `${path}.approvals`;
  const usable = await keepUsable(tx, workspace, { policy: given, path: at });
  const { policy, unknown } = await nameAsked(tx, workspace, usable.policy);
  const left = unknown.map((issue) => ({ path: `${at}.${issue.path}`, message: `Left out: ${issue.message}.` }));
  const met = await askAdmins(tx, workspace, { policy: policy.map(withoutEmpty), path: at });
  return {
    config: { ...config, approvals: met.policy },
    warnings: [...usable.warnings, ...left, ...met.warnings],
  };
}

interface Fitted {
  readonly policy: ApprovalPolicy;
  readonly warnings: readonly FieldIssue[];
}

interface Located {
  readonly policy: ApprovalPolicy;
  readonly path: string;
}

async function keepUsable(
  tx: Transaction,
  { toolNames }: Pick<Workspace, "toolNames">,
  { policy, path }: Located,
): Promise<Fitted> {
  const named = policy.flatMap(({ when: { tool } }, index) =>
    tool === undefined ? [] : [{ name: tool, path: `${path}.${index}` }],
  );
  // A tool of an MCP server stays in the agent: the workspace may register the server later.
  const own = named.filter(({ name }) => readMcpToolName(name) === undefined);
  const issues = await findRuledToolIssues(tx, toolNames, own);
  const dropped = new Set(issues.map((issue) => issue.path));
  return {
    policy: policy.filter((_, index) => !dropped.has(`${path}.${index}`)),
    warnings: issues.map((issue) => ({ path: issue.path, message: `The rule was left out: ${issue.message}` })),
  };
}

/** Without people and channel, a rule or an escalation asks the admins. */
function withoutEmpty(rule: ApprovalPolicy[number]): ApprovalPolicy[number] {
  const filled = ({ people = [], role, channel }: ApprovalPolicy[number]["ask"]) => ({
    ...(people.length > 0 && { people }),
    ...(channel !== undefined && { channel }),
    role: role ?? (people.length === 0 && channel === undefined ? ("admin" as const) : undefined),
  });
  return { ...rule, ask: filled(rule.ask), after: rule.after.map((step) => ({ ...step, ask: filled(step.ask) })) };
}

async function askAdmins(
  tx: Transaction,
  workspace: Pick<Workspace, "who">,
  { policy, path }: Located,
): Promise<Fitted> {
  const unmet = new Set((await findUnmeetable(tx, workspace, policy)).map((issue) => issue.path));
  const changed = policy.map((rule, index) =>
    unmet.has(`${index}.need`) ? { ...rule, ask: { role: "admin" as const }, need: 1, starter: true } : rule,
  );
  const warnings = [...unmet].map((issue) => ({
    path: `${path}.${issue}`,
    message: "Nobody here could meet the rule: it now needs one admin, who may have started the run.",
  }));
  return { policy: changed, warnings };
}
