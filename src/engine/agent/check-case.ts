import { z } from "zod";
import { readJsonReply } from "#domain/agents/json-result.ts";
import { describeIssue } from "#domain/errors.ts";
import { checkOutcome } from "#domain/golden/golden-check.ts";
import type { CheckOutcome, GoldenCheck, GoldenVote } from "#domain/golden/golden-check.ts";
import { checkResult } from "#domain/golden/check-result.ts";
import type { CaseResult } from "#domain/golden/check-result.ts";
import { taskPrompt } from "#domain/tasks/task-prompt.ts";
import type { GoldenInput } from "#domain/tasks/run-job.ts";
import { SandboxLimitError } from "#lib/sandbox/sandbox-error.ts";
import { UnusableSchemaError } from "#lib/json-schema/unusable-schema-error.ts";
import { noteChecks } from "#db/queries/golden/golden-results.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import { askJudge } from "./judge-case.ts";

const checked = z.object({
  checks: z.array(checkOutcome),
  tools: z.array(z.string()),
  costUsd: z.number(),
  tokens: z.int(),
  durationMs: z.number(),
});

/** What the run of a case did, and its tokens. */
export interface FinishedCase extends CaseResult {
  readonly tokens: number;
}

/**
 * Checks the result of a case, and notes how the checks came out: with the end of its run they become its result. Each
 * vote of a judge is a step, and so are the checks together; a resumed execution does neither again.
 */
export async function checkCase(
  engine: EngineServices,
  run: Run,
  { golden, found }: { readonly golden: GoldenInput; readonly found: FinishedCase },
): Promise<void> {
  const key = "golden:checks";
  const known = run.recall(key, checked);
  const { tools, costUsd, tokens, durationMs } = found;
  const value = known ?? {
    checks: await allChecks(engine, run, golden, found),
    tools: [...tools],
    costUsd,
    tokens,
    durationMs,
  };
  const recorded = await run.step(key, checked, () => Promise.resolve({ value }));
  await noteChecks(engine.db, { ...recorded, runId: run.key.subjectId });
}

async function allChecks(
  engine: EngineServices,
  run: Run,
  golden: GoldenInput,
  found: FinishedCase,
): Promise<CheckOutcome[]> {
  const outcomes: CheckOutcome[] = [];
  for (const [place, check] of golden.checks.entries()) {
    outcomes.push(await outcomeOf(engine, run, { golden, found, check, place }));
  }
  return outcomes;
}

interface PlacedCheck {
  readonly golden: GoldenInput;
  readonly found: FinishedCase;
  readonly check: GoldenCheck;
  readonly place: number;
}

function outcomeOf(engine: EngineServices, run: Run, placed: PlacedCheck): Promise<CheckOutcome> | CheckOutcome {
  const { golden, found, check } = placed;
  if (check.type === "judge") return judged(engine, run, { ...placed, check });
  if (check.type === "json_schema") return fitsSchema(engine, run, check.schema, found.result);
  return checkResult(check, found, { expected: golden.expected, tools: golden.tools.map(({ name }) => name) });
}

/** Votes are taken one after the other, until more than half of all have said the same. */
async function judged(
  engine: EngineServices,
  run: Run,
  { golden, found, check, place }: PlacedCheck & { readonly check: Extract<GoldenCheck, { readonly type: "judge" }> },
): Promise<CheckOutcome> {
  const votes: GoldenVote[] = [];
  const count = (passed: boolean) => votes.filter((vote) => vote.passed === passed).length;
  const isDecided = () => Math.max(count(true), count(false)) * 2 > check.votes;
  while (votes.length < check.votes && !isDecided()) {
    const vote = await askJudge(engine, run, {
      key: `judge:${place}:${votes.length}`,
      judge: golden.judges[check.agent_id],
      rubric: check.rubric,
      task: taskOf(run),
      expected: golden.expected,
      result: found.result,
    });
    votes.push(vote);
  }
  const passed = count(true) * 2 > check.votes;
  const reason = passed ? "" : (votes.find((vote) => !vote.passed)?.reason ?? "");
  return { type: check.type, passed, reason, votes };
}

function taskOf({ job }: Run): string {
  return job.conversation?.at(-1)?.content ?? taskPrompt(job);
}

async function fitsSchema(
  { schemas }: EngineServices,
  { job }: Run,
  schema: Readonly<Record<string, unknown>>,
  result: string,
): Promise<CheckOutcome> {
  const reason = await whyUnfit();
  return { type: "json_schema", passed: reason === undefined, reason: reason ?? "" };

  async function whyUnfit(): Promise<string | undefined> {
    const json = readJsonReply(result);
    if (json.text === undefined) return `The result ${json.fault}.`;
    try {
      const issues = await schemas.check(job.workspaceId, schema, json.value);
      return issues.length === 0 ? undefined : issues.map(describeIssue).join("; ").slice(0, 2_000).toWellFormed();
    } catch (error) {
      if (error instanceof UnusableSchemaError) return `The schema cannot be used: ${error.message}`;
      if (error instanceof SandboxLimitError) return "The check takes too long.";
      throw error;
    }
  }
}
