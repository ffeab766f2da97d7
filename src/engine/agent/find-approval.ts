import { rulesOf } from "#domain/agents/agent.ts";
import { firstRule, rulesFor } from "#domain/approvals/match.ts";
import { stageMs, stagesOf } from "#domain/approvals/order.ts";
import type { ApprovalOrder } from "#domain/approvals/order.ts";
import { approvalPolicy } from "#domain/approvals/policy.ts";
import type { ApprovalPolicy, ApprovalRule } from "#domain/approvals/policy.ts";
import { reasonOf } from "#domain/approvals/reason.ts";
import type { ToolCall } from "#domain/models/reply-parts.ts";
import type { AgentSnapshot } from "#domain/tasks/run-job.ts";
import { readApprovalFacts } from "#db/queries/runs/approvals.ts";
import type { ApprovalFacts } from "#db/queries/runs/approvals.ts";
import { outlookOf } from "#operations/runs/estimate-run.ts";
import { parseExactly } from "#lib/text/exact-json.ts";
import type { Tool } from "#tools/define-tool.ts";
import { approvalPrompt, needsApproval, openQuestion, requestApproval } from "../run/ask-person.ts";
import type { OpenQuestion } from "../run/ask-person.ts";
import type { EngineServices, Run } from "../run/run-context.ts";

/** A call whose arguments fit its tool. */
interface FittingCall {
  readonly call: ToolCall;
  readonly tool: Tool;
  /** Whether it is a tool of a team's mode, which is called again in every execution. */
  readonly isGiven: boolean;
}

/**
 * Returns the approval that a call needs before it is made; undefined when it needs none. The workspace's rules come
 * first, then the agent's, then its list of tools that require approval.
 */
export async function findApproval(
  engine: EngineServices,
  run: Run,
  { call, tool, isGiven }: FittingCall,
): Promise<OpenQuestion | undefined> {
  const { agent } = run.job;
  const names = [tool.name, tool.listedAs ?? tool.name];
  const parsed = parseExactly(call.arguments === "" ? "{}" : call.arguments);
  const rules = rulesFor(policyOf(agent), { names, arguments: parsed });
  const ask = async () => ({ value: (await askByRule(engine, run, { call, tool, rules })) ?? null });
  const asked =
    rules.length === 0
      ? null
      : // Facts change; the decision about a call does not.
        isGiven
        ? await run.step(`rule:${call.id}`, openQuestion.nullable(), ask)
        : (await ask()).value;
  return asked ?? (needsApproval(agent, tool) ? requestApproval(agent, call) : undefined);
}

function policyOf({ config, workspace_approvals: shared }: AgentSnapshot): ApprovalPolicy {
  return [...approvalPolicy.parse(shared ?? []), ...rulesOf(config)];
}

async function askByRule(
  { db }: EngineServices,
  { job: { agent }, key: { subjectId: runId } }: Run,
  { call, tool, rules }: Pick<FittingCall, "call" | "tool"> & { readonly rules: ApprovalPolicy },
): Promise<OpenQuestion | undefined> {
  // Another tool may get the name of one that was approved.
  const used = { agentId: agent.id, tool: tool.listedAs ?? tool.name };
  const facts = await readApprovalFacts(db, { runId, ...used });
  const rule = facts && firstRule(rules, facts);
  if (rule === undefined || facts === undefined) return undefined;
  const expectedUsd = (await outlookOf(db, runId))?.going_on_usd?.p50 ?? null;
  const policy = orderOf(rule, { facts, expectedUsd, name: call.name, used });
  const question = {
    kind: "prompt",
    prompt: approvalPrompt(call),
    timeoutMs: stageMs(policy, 0),
    approvers: "members",
    policy,
  } as const;
  return { question, toolCallId: call.id, purpose: "approval" };
}

function orderOf(
  rule: ApprovalRule,
  {
    facts,
    expectedUsd,
    name,
    used,
  }: Pick<ApprovalOrder, "expectedUsd"> & {
    readonly facts: ApprovalFacts;
    readonly name: string;
    readonly used: NonNullable<ApprovalOrder["firstUse"]>;
  },
): ApprovalOrder {
  const { costUsd, startedBy } = facts;
  return {
    ...(rule.name !== undefined && { rule: rule.name }),
    reason: reasonOf(rule, name, facts),
    costUsd,
    expectedUsd,
    need: rule.need,
    denials: rule.denials,
    stages: stagesOf(rule),
    ending: rule.else,
    excluded: rule.starter ? [] : [...new Set(startedBy)],
    keys: rule.keys,
    ...(rule.when.first_use === true && { firstUse: used }),
  };
}
