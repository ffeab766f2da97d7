import { strayNames } from "#domain/approvals/pointer.ts";
import type { ApprovalPolicy } from "#domain/approvals/policy.ts";
import type { FieldIssue } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import type { Transaction } from "#db/database.ts";
import { countAsked, readToolSchemas } from "#db/queries/runs/approvals.ts";
import type { Workspace } from "../workspace.ts";
import { findRuledToolIssues } from "./check-tools.ts";
import { nameAsked } from "./name-asked.ts";

/** Rules on approvals, and their path in the input. */
export interface GivenPolicy {
  readonly policy: ApprovalPolicy;
  readonly path: string;
}

type Checking = Pick<Workspace, "toolNames" | "builtInTools" | "who">;

/**
 * Checks that rules on approvals can be met: their people are members, enough of them, and their channels, tools and
 * arguments exist. Returns the rules with ids in place of names.
 * @throws AppError `bad_request` with the path of each issue
 */
export async function checkApprovals(
  tx: Transaction,
  workspace: Checking,
  { policy, path }: GivenPolicy,
): Promise<ApprovalPolicy> {
  if (policy.length === 0) return policy;
  const named = await nameAsked(tx, workspace, policy);
  const issues = [
    ...findRoundedValues(policy).map((issue) => ({ ...issue, path: `${path}.${issue.path}` })),
    ...named.unknown.map((issue) => ({ ...issue, path: `${path}.${issue.path}` })),
    ...(await findToolFaults(tx, workspace, { policy, path })),
  ];
  if (issues.length > 0) throw invalid("body", issues);
  const unmet = await findUnmeetable(tx, workspace, named.policy);
  if (unmet.length > 0)
    throw invalid(
      "body",
      unmet.map((issue) => ({ ...issue, path: `${path}.${issue.path}` })),
    );
  return named.policy;
}

/** Finds numbers that lost digits on their way here, as JSON numbers do. */
function findRoundedValues(policy: ApprovalPolicy): readonly FieldIssue[] {
  return policy.flatMap(({ when }, index) =>
    (when.arguments ?? []).flatMap(({ is, value }, number) => {
      const isRounded = [value].flat().some((one) => Number.isInteger(one) && !Number.isSafeInteger(one));
      if (!isRounded || is === ">" || is === "<") return [];
      const message = "must be a text, or a number of at most 15 digits";
      return [{ path: `${index}.when.arguments.${number}.value`, message }];
    }),
  );
}

/** Finds rules that nobody could ever meet. */
export async function findUnmeetable(
  tx: Transaction,
  { who }: Pick<Workspace, "who">,
  policy: ApprovalPolicy,
): Promise<readonly FieldIssue[]> {
  const issues: FieldIssue[] = [];
  for (const [index, { ask, need, starter }] of policy.entries()) {
    const { asked, isEveryone } = await countAsked(tx, who.workspaceId, [JSON.stringify(ask)]);
    // Whoever starts a run is one of them, and does not count.
    const able = isEveryone && !starter ? asked - 1 : asked;
    if (able >= need) continue;
    const without = able < asked ? ", without the person who starts the run (starter: true would let them)" : "";
    const message = `can never be met: ${need} must approve, and the rule asks ${Math.max(able, 0)}${without}`;
    issues.push({ path: `${index}.need`, message });
  }
  return issues;
}

async function findToolFaults(
  tx: Transaction,
  { toolNames, builtInTools, who }: Checking,
  { policy, path }: GivenPolicy,
): Promise<readonly FieldIssue[]> {
  const named = policy.flatMap(({ when: { tool } }, index) =>
    tool === undefined ? [] : [{ name: tool, path: `${path}.${index}.when.tool` }],
  );
  const unknown = await findRuledToolIssues(tx, toolNames, named);
  if (unknown.length > 0) return unknown;
  const stored = await readToolSchemas(
    tx,
    who.workspaceId,
    named.map(({ name }) => name),
  );
  const schemaOf = (name: string): unknown => {
    const text = stored.get(name);
    return text === undefined ? builtInTools.find((tool) => tool.name === name)?.inputSchema : JSON.parse(text);
  };
  return policy.flatMap(({ when }, index) =>
    (when.arguments ?? []).flatMap(({ pointer }, number) => {
      const names = when.tool === undefined ? undefined : strayNames(schemaOf(when.tool), pointer);
      if (names === undefined) return [];
      const message = `${when.tool} has no such argument. It has: ${names.map((name) => `/${name}`).join(", ") || "none"}.`;
      return [{ path: `${path}.${index}.when.arguments.${number}.pointer`, message }];
    }),
  );
}
