import { z } from "zod";
import { approvalPolicy, ENDINGS } from "./policy.ts";
import type { ApprovalRule } from "./policy.ts";

const asked = approvalPolicy.element.shape.ask;

/** What a rule makes of a question: who may answer when, and what decides it. Stored with the question. */
export const approvalOrder = z.object({
  /** The rule's name, if it has one. */
  rule: z.string().optional(),
  reason: z.string(),
  costUsd: z.number(),
  /** What half of the comparable runs cost at most beyond that; null when none cost more. See `outlookFrom`. */
  expectedUsd: z.number().nullable(),
  need: z.int(),
  denials: z.int(),
  /** Those of earlier stages may still answer in later ones. seconds: the end of the stage, from the question. */
  stages: z.array(z.object({ ask: asked, seconds: z.int() })),
  ending: z.enum(ENDINGS),
  /** The ids of the people who started the run, if they may not approve. */
  excluded: z.array(z.string()),
  keys: z.boolean(),
  /** The agent and the tool, if its first use is what asks. */
  firstUse: z.object({ agentId: z.string(), tool: z.string() }).optional(),
});

/** See {@link approvalOrder}. */
export type ApprovalOrder = Readonly<z.output<typeof approvalOrder>>;

/** What clients see of it, in the question. */
export interface ShownApproval {
  readonly rule?: string;
  readonly reason: string;
  readonly costUsd: number;
  readonly expectedUsd: number | null;
  readonly need: number;
  readonly denials: number;
  /** Whether more people are asked at the next deadline. */
  readonly escalates: boolean;
  readonly otherwise: ApprovalOrder["ending"];
}

/** The part of an order that clients see. @param stage from 0 */
export function shownApproval(order: ApprovalOrder, stage: number): ShownApproval {
  const { rule, reason, costUsd, expectedUsd, need, denials, stages, ending } = order;
  const named = rule !== undefined && { rule };
  const escalates = stage < stages.length - 1;
  return { ...named, reason, costUsd, expectedUsd, need, denials, escalates, otherwise: ending };
}

/** The stages of a rule: whom it asks at once, and whom later. */
export function stagesOf({ ask, after, within_seconds: last }: ApprovalRule): ApprovalOrder["stages"] {
  const starts = [{ ask, seconds: 0 }, ...after];
  return starts.map((stage, index) => ({ ask: stage.ask, seconds: starts[index + 1]?.seconds ?? last }));
}

/** How long a stage lasts, in milliseconds. */
export function stageMs({ stages }: Pick<ApprovalOrder, "stages">, stage: number): number {
  return ((stages[stage]?.seconds ?? 0) - (stages[stage - 1]?.seconds ?? 0)) * 1_000;
}
