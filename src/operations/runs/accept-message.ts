import type { Transaction } from "#db/database.ts";
import type { MessageEffect } from "#db/queries/conversations/a2a/messages.ts";

/** A message's task, and its effect on it. */
export interface Accepted {
  readonly taskId: string;
  readonly effect: MessageEffect;
}

/**
 * Writes that a surface adds to the transaction of a message's effect. With the effect `start` it must send its
 * statements before it first waits: the transaction is committed without waiting for them. Otherwise the task is locked,
 * and false says that the message was accepted before, so it must have no effect.
 */
export type AcceptMessage = (tx: Transaction, accepted: Accepted) => Promise<boolean>;
