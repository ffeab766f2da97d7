import { useEffect } from "react";
import type { InteractionRequest } from "#domain/tasks/interaction-request.ts";
import { removeDrafts } from "../../forms/drafts.ts";
import { MAX_COUNTED, useOpenQuestions } from "./queries.ts";

const PREFIX = "answer.";

/** The name of the draft of an answer; each page of a wizard has its own. */
export function answerDraft({ interactionId, wizardStepId = "" }: InteractionRequest): string {
  return `${PREFIX}${interactionId}.page.${wizardStepId}`;
}

/** The name of the draft of the name of a person who answers without an account. */
export function answererDraft({ interactionId }: Pick<InteractionRequest, "interactionId">): string {
  return `${PREFIX}${interactionId}.name`;
}

/** Removes what was typed into questions that are over: another person has answered, or the time has passed. */
export function useOpenAnswerDrafts(): void {
  const { data: questions } = useOpenQuestions();
  useEffect(() => {
    if (questions === undefined || questions.length > MAX_COUNTED) return;
    const open = new Set(questions.map(({ id }) => id));
    removeDrafts((name) => name.startsWith(PREFIX) && !open.has(name.split(".")[1] ?? ""));
  }, [questions]);
}

/** Removes what was typed into a question once it is over. */
export function useNoAnswerDraft(interactionId: string): void {
  useEffect(() => removeDrafts((name) => name.startsWith(`${PREFIX}${interactionId}.`)), [interactionId]);
}
