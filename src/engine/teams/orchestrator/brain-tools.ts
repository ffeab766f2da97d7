import { z } from "zod";
import { repairNotice } from "#domain/agents/json-result.ts";
import type { FieldIssue } from "#domain/errors.ts";
import type { AgentSnapshot } from "#domain/tasks/run-job.ts";
import { BRAIN_TOOLS } from "#domain/teams/brain-tools.ts";
import type { TeamConfig } from "#domain/teams/team-config.ts";
import { defineTool } from "#tools/define-tool.ts";
import type { Tool } from "#tools/define-tool.ts";
import { ToolRejection } from "../../tools/tool-rejection.ts";
import type { Delegation } from "./delegation.ts";
import { doDelegation, addWorkerMessage } from "./do-delegation.ts";
import type { DelegationContext } from "./do-delegation.ts";

/** How often a worker may get exactly the same work. */
const MAX_SAME_WORK = 2;

const text = z.string().trim().min(1).max(100_000);
const delegationId = z.string().describe("As delegate_to_worker gave it, such as d1.");

/** Arguments of {@link brainTools}. */
export interface BrainSetting extends DelegationContext {
  readonly config: TeamConfig<"orchestrator">;
  readonly workers: readonly AgentSnapshot[];
  /** How a result violates the brain's output schema. */
  resultIssues(result: string): Promise<readonly FieldIssue[]>;
}

/** The tools with which a brain directs its workers. */
export function brainTools(setting: BrainSetting): readonly Tool[] {
  return [delegateToWorker(setting), requestRevision(setting), acceptResult(setting), finalAnswer(setting)];
}

function delegateToWorker(setting: BrainSetting): Tool {
  const { workers, ledger } = setting;
  return defineTool({
    name: BRAIN_TOOLS.delegate,
    description:
      "Gives a piece of work to one of your workers and returns its result. Call it several times in one turn to " +
      "have the pieces worked on concurrently. A worker knows nothing but your instruction.",
    input: z.strictObject({
      agent_id: z.string().describe("Which worker, as listed."),
      instruction: text.describe("The whole work, with all that it needs."),
    }),
    async execute({ agent_id: id, instruction }, { callId }) {
      const worker = workers.find((known) => known.id === id.toLowerCase());
      if (worker === undefined) throw new ToolRejection(`There is no worker ${id}. Your workers: ${listed(workers)}.`);
      if (ledger.timesGiven({ worker, instruction }) >= MAX_SAME_WORK) {
        throw new ToolRejection(
          `${worker.name} was given this very work ${MAX_SAME_WORK} times. Use what it answered, ask for a revision, ` +
            "or give other work.",
        );
      }
      const delegation = ledger.open({ worker, instruction });
      await ledger.change(delegation.name, { status: "pending" });
      const key = `delegation:${callId}`;
      await addWorkerMessage(setting, delegation, { from: "brain", type: "delegation", content: instruction, key });
      return resultFor(delegation.name, await doDelegation(setting, delegation.name, key));
    },
  });
}

function requestRevision(setting: BrainSetting): Tool {
  const { ledger, config } = setting;
  return defineTool({
    name: BRAIN_TOOLS.revise,
    description:
      "Sends a result back to its worker with your feedback and returns the new result. " +
      `A delegation can be revised ${config.max_delegation_depth} times.`,
    input: z.strictObject({
      delegation_id: delegationId,
      feedback: text.describe("What is wrong, and what you want."),
    }),
    async execute({ delegation_id: id, feedback }, { callId }) {
      const delegation = finished(ledger.find(id));
      if (isRevisedOut(setting, delegation)) {
        throw new ToolRejection(
          `${id} was revised ${delegation.revisions} times, which is the most there is. Accept it, give the work to ` +
            "another worker, or do without it.",
        );
      }
      await ledger.change(id, {
        status: "revision_requested",
        revisions: delegation.revisions + 1,
        conversation: [...delegation.conversation, { role: "user", content: feedback }],
      });
      const key = `delegation:${callId}`;
      await addWorkerMessage(setting, delegation, { from: "brain", type: "revision_request", content: feedback, key });
      return resultFor(id, await doDelegation(setting, id, key));
    },
  });
}

function acceptResult(setting: BrainSetting): Tool {
  const { ledger, config } = setting;
  const threshold = config.quality_threshold;
  return defineTool({
    name: BRAIN_TOOLS.accept,
    description: `Accepts a result with your score of its quality. It has to be at least ${threshold}.`,
    input: z.strictObject({
      delegation_id: delegationId,
      score: z.number().min(0).max(1).describe("0 is useless, 1 is perfect."),
    }),
    async execute({ delegation_id: id, score }, { callId }) {
      const delegation = finished(ledger.find(id));
      const isBelow = score < threshold;
      const key = `accept:${callId}`;
      if (isBelow && !isRevisedOut(setting, delegation)) {
        const content = `${id} was not accepted: its score ${score} is below the threshold of ${threshold}.`;
        const metadata = { score };
        await addWorkerMessage(setting, delegation, { from: "brain", type: "rejection", content, key, metadata });
        throw new ToolRejection(`${content} Ask for a revision, or give the work to another worker.`);
      }
      await ledger.change(id, { status: "accepted", score });
      const content = isBelow
        ? `${id} is accepted with the score ${score}, below the threshold of ${threshold}: its revisions are used up.`
        : `${id} is accepted with the score ${score}.`;
      await addWorkerMessage(setting, delegation, { from: "brain", type: "system", content, key, metadata: { score } });
      return content;
    },
  });
}

function finalAnswer({ resultIssues }: BrainSetting): Tool {
  return defineTool({
    name: BRAIN_TOOLS.finish,
    description: "Ends the work with its result.",
    input: z.strictObject({ output: z.string().min(1).describe("The whole result; nothing else is passed on.") }),
    endsWork: true,
    async execute({ output }) {
      const issues = await resultIssues(output);
      if (issues.length > 0) throw new ToolRejection(repairNotice(issues));
      return output;
    },
  });
}

/** A delegation whose result can be judged. @throws ToolRejection for any other */
function finished(delegation: Delegation): Delegation {
  const { name, status } = delegation;
  if (status === "completed") return delegation;
  if (status === "accepted") throw new ToolRejection(`${name} was accepted already.`);
  if (status === "failed") throw new ToolRejection(`${name} has failed. Give the work to a worker again.`);
  throw new ToolRejection(`${name} is being worked on.`);
}

function isRevisedOut({ config }: BrainSetting, { revisions }: Delegation): boolean {
  return revisions >= config.max_delegation_depth;
}

function resultFor(name: string, answer: string): string {
  return `delegation_id: ${name}\n\n${answer}`;
}

function listed(workers: readonly AgentSnapshot[]): string {
  return workers.map(({ id, name }) => `${name} (${id})`).join(", ");
}
