import type { Answers } from "./answer.ts";
import type { ClientCalls } from "../tools/client-tools.ts";
import type { InteractionType, Prompt, Question, WizardStep } from "./interaction.ts";
import { shownApproval } from "../approvals/order.ts";
import type { ShownApproval } from "../approvals/order.ts";
import { nextStep } from "./wizard.ts";

/** The ids of a question: its task, and the tool call that asked it. A wizard keeps its id through all pages. */
export interface InteractionIds {
  readonly interactionId: string;
  readonly toolCallId: string;
}

type Content<P> = P extends unknown ? Omit<P, "type" | "title" | "description"> : never;

/** A question as clients receive it: the payload of INTERACTION_REQUEST and a task's `interaction`. */
export type InteractionRequest = InteractionIds & {
  readonly interactionType: InteractionType;
  readonly title: string;
  readonly description: string;
  readonly timeoutMs: number;
  /** The open page of a wizard; the answer must repeat it. */
  readonly wizardStepId?: string;
  /** The wizard that the page belongs to. */
  readonly wizard?: { readonly title: string; readonly description: string; readonly steps: readonly WizardStep[] };
  /** The client tool calls whose results the form requests. */
  readonly clientCalls?: ClientCalls;
  /** Of an approval that a rule asks for: why, and what it takes. */
  readonly approval?: ShownApproval;
} & Content<Prompt>;

/**
 * Returns the request that is open after these answers; undefined when a wizard has no page left. `stage` is that of a
 * rule's question, from 0.
 */
export function openRequest(
  question: Question,
  { stage = 0, ...ids }: InteractionIds & { readonly stage?: number },
  answers: Answers,
): InteractionRequest | undefined {
  const { timeoutMs } = question;
  if (question.kind === "prompt") {
    const { type: interactionType, title, description, ...content } = question.prompt;
    const { clientCalls, policy } = question;
    return {
      ...ids,
      interactionType,
      title,
      description,
      timeoutMs,
      ...content,
      ...(clientCalls !== undefined && { clientCalls }),
      ...(policy !== undefined && { approval: shownApproval(policy, stage) }),
    };
  }
  const step = nextStep(question.steps, answers);
  if (step === undefined) return undefined;
  const { type: interactionType, stepId: wizardStepId, condition: _, title, description, ...content } = step;
  const wizard = { title: question.title, description: question.description, steps: question.steps };
  return { ...ids, interactionType, title, description, timeoutMs, wizardStepId, ...content, wizard };
}
