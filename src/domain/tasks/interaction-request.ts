import type { Answers } from "./answer.ts";
import type { ClientCalls } from "../tools/client-tools.ts";
import type { InteractionType, Prompt, Question, WizardStep } from "./interaction.ts";
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
} & Content<Prompt>;

/** Returns the request that is open after these answers; undefined when a wizard has no page left. */
export function openRequest(question: Question, ids: InteractionIds, answers: Answers): InteractionRequest | undefined {
  const { timeoutMs } = question;
  if (question.kind === "prompt") {
    const { type: interactionType, title, description, ...content } = question.prompt;
    const { clientCalls } = question;
    const request = { ...ids, interactionType, title, description, timeoutMs, ...content };
    return clientCalls === undefined ? request : { ...request, clientCalls };
  }
  const step = nextStep(question.steps, answers);
  if (step === undefined) return undefined;
  const { type: interactionType, stepId: wizardStepId, condition: _, title, description, ...content } = step;
  const wizard = { title: question.title, description: question.description, steps: question.steps };
  return { ...ids, interactionType, title, description, timeoutMs, wizardStepId, ...content, wizard };
}
