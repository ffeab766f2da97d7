import { storableText } from "#domain/storable.ts";
import type { MessageType } from "#domain/teams/team-run.ts";
import { isStepFailure } from "../../run/run-failure.ts";
import type { TeamRun } from "../run/team-run-context.ts";
import { ToolRejection } from "../../tools/tool-rejection.ts";
import type { Delegation } from "./delegation.ts";
import type { Ledger } from "./ledger.ts";
import type { TurnAnswer } from "../../agent/turn-answer.ts";

/** The run in which the brain and its workers work. */
export interface DelegationContext {
  readonly run: TeamRun;
  readonly ledger: Ledger;
  readonly brainId: string;
  /** The number of the brain's model call whose tools run now, from 0. */
  iteration(): number;
}

/** A message about a delegation. */
export interface WorkerMessage {
  readonly from: "brain" | "worker";
  readonly type: MessageType;
  readonly content: string;
  /** The message's key in the run. */
  readonly key: string;
  readonly tokensUsed?: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Adds a message between the brain and a worker to the run. */
export async function addWorkerMessage(
  context: DelegationContext,
  { name, worker }: Delegation,
  saying: WorkerMessage,
): Promise<void> {
  const { run, brainId, iteration } = context;
  const [sender, receiver] = saying.from === "brain" ? [brainId, worker.id] : [worker.id, brainId];
  const message = {
    sender_agent_id: sender,
    receiver_agent_id: receiver,
    message_type: saying.type,
    content: storableText(saying.content),
    metadata: { delegation: name, ...saying.metadata },
    step_idx: iteration(),
    tokens_used: saying.tokensUsed ?? 0,
  };
  await run.recordMessage(message, saying.key);
}

/**
 * Lets the worker of a delegation answer the end of its conversation, and stores the result.
 * @param key names the turn in the run
 * @returns the worker's answer
 * @throws ToolRejection when the worker fails; anything else that TeamRun.turn throws
 */
export async function doDelegation(context: DelegationContext, name: string, key: string): Promise<string> {
  const { run, ledger } = context;
  const { worker, conversation, revisions } = ledger.find(name);
  await ledger.change(name, { status: "running" });
  const stepName = `${name}: ${worker.name}${revisions === 0 ? "" : ` (revision ${revisions})`}`;
  try {
    const answer = await run.turn({ key, agent: worker, conversation, stepName });
    return await keepAnswer(context, ledger.find(name), { key, answer });
  } catch (error) {
    if (!isStepFailure(error)) throw error;
    const delegation = ledger.find(name);
    await ledger.change(name, { status: "failed", error: error.message });
    await addWorkerMessage(context, delegation, {
      from: "worker",
      type: "system",
      content: error.message,
      key: `${key}:failed`,
      metadata: { error: error.code },
    });
    throw new ToolRejection(`${name} failed: ${error.message} You can give the work to another worker.`);
  }
}

async function keepAnswer(
  context: DelegationContext,
  delegation: Delegation,
  { key, answer: { text, tokensUsed } }: { readonly key: string; readonly answer: TurnAnswer },
): Promise<string> {
  await context.ledger.change(delegation.name, {
    status: "completed",
    result: text,
    tokensUsed: delegation.tokensUsed + tokensUsed,
    conversation: [...delegation.conversation, { role: "assistant", content: text }],
  });
  await addWorkerMessage(context, delegation, {
    from: "worker",
    type: "result",
    content: text,
    key: `${key}:result`,
    tokensUsed,
  });
  return text;
}
