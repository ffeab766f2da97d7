import { storableText } from "#domain/storable.ts";
import type { AgentSnapshot } from "#domain/tasks/run-job.ts";
import type { TeamRun } from "../run/team-run-context.ts";
import { ToolRejection } from "../../tools/tool-rejection.ts";
import type { Delegation, DelegationChange } from "./delegation.ts";

/**
 * The delegations of one execution of a run. Every execution fills it with the same calls in the same order; each
 * change is stored once.
 */
export interface Ledger {
  /** Adds a delegation in memory; it is stored with its first change. */
  open(work: { readonly worker: AgentSnapshot; readonly instruction: string }): Delegation;
  /** A delegation by its name. @throws ToolRejection when it does not exist */
  find(name: string): Delegation;
  /** How often a worker got this same work, ignoring spaces and case. */
  timesGiven(work: { readonly worker: AgentSnapshot; readonly instruction: string }): number;
  /**
   * Changes a delegation in memory and stores its new state.
   * @throws OwnershipLostError when this execution may not write to the run any more
   */
  change(name: string, change: DelegationChange): Promise<void>;
}

/** Opens the ledger of an execution. */
export function openLedger(run: TeamRun): Ledger {
  const entries = new Map<string, { readonly delegation: Delegation; readonly version: number }>();

  function entry(name: string) {
    const found = entries.get(name);
    if (found !== undefined) return found;
    const known = [...entries.keys()].join(", ") || "none yet";
    throw new ToolRejection(`There is no delegation "${name}". Delegations: ${known}.`);
  }

  return {
    open({ worker, instruction }) {
      const name = `d${entries.size + 1}`;
      const conversation = [{ role: "user", content: instruction }] as const;
      const made = { status: "pending", result: null, error: null, score: null, revisions: 0, tokensUsed: 0 } as const;
      const delegation = { name, worker, instruction, conversation, ...made };
      entries.set(name, { delegation, version: 0 });
      return delegation;
    },
    find: (name) => entry(name).delegation,
    timesGiven: (work) => [...entries.values()].filter(({ delegation }) => isSameWork(delegation, work)).length,
    async change(name, change) {
      const { delegation, version } = entry(name);
      const changed = { delegation: { ...delegation, ...change }, version: version + 1 };
      entries.set(name, changed);
      await run.recordDelegation(stateOf(changed.delegation, changed.version));
    },
  };
}

function isSameWork(a: Pick<Delegation, "worker" | "instruction">, b: Pick<Delegation, "worker" | "instruction">) {
  return a.worker.id === b.worker.id && canonical(a.instruction) === canonical(b.instruction);
}

function canonical(instruction: string): string {
  return instruction.trim().replaceAll(/\s+/g, " ").toLowerCase();
}

function stateOf(delegation: Delegation, version: number) {
  const { name, worker, instruction, status, result, error, score, revisions, tokensUsed } = delegation;
  return {
    key: name,
    version,
    agent_id: worker.id,
    instruction: storableText(instruction),
    status,
    result: result === null ? null : storableText(result),
    error: error === null ? null : storableText(error),
    score,
    revisions,
    tokens_used: tokensUsed,
  };
}
