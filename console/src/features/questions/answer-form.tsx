import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { ReactNode } from "react";
import type { InteractionRequest } from "#domain/tasks/interaction-request.ts";
import { asProblem } from "../../api/problem.ts";
import type { Problem } from "../../api/problem.ts";
import { useBlockedFromAnswering } from "../../api/use-session.ts";
import { readDraft, removeDraftsOf, storeDraft } from "../../forms/drafts.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { FormError } from "../../ui/field.tsx";
import { useFocusKept, useFocusPassedOn } from "../../ui/return-focus.ts";
import { answerDraft } from "./answer-draft.ts";
import { ApprovalControls, ConfirmControls } from "./approval.tsx";
import { ChoiceControls } from "./choice.tsx";
import { FormControls, TextControls } from "./fields.tsx";
import { sendAnswer } from "./send-answer.ts";
import type { AnswerBody } from "./send-answer.ts";
import { WizardBar } from "./wizard-bar.tsx";

/** What each kind of question gets. */
export interface AnswerControls {
  readonly send: (answer: AnswerBody) => void;
  readonly isBusy: boolean;
  readonly blockedBy: string | undefined;
  /** What was typed before the page was loaded again. */
  readonly draft: AnswerBody;
  /** The name under which that is kept. */
  readonly draftName: string;
  /** Keeps what is typed until it is sent; undefined for nothing. */
  readonly keep: (draft: AnswerBody | undefined) => void;
  /** The server's issues with the answer, by path. */
  readonly errorOf: (path: string) => string | undefined;
}

/** The form with which a person who is signed in answers a question. What was typed stays when it is rejected. */
export function AnswerForm({
  subjectId,
  question,
  intro,
  blockedBy: blockedHere,
  onRejected,
}: {
  /** The task or team run that waits. */
  readonly subjectId: string;
  readonly question: InteractionRequest;
  readonly intro?: ReactNode;
  /** Why this question is not the person's to answer. */
  readonly blockedBy?: string | undefined;
  /** Another person was first, or the time is over. */
  readonly onRejected?: () => void;
}) {
  const client = useQueryClient();
  const blockedBy = useBlockedFromAnswering() ?? blockedHere;
  async function send(answer: AnswerBody): Promise<void> {
    try {
      await sendAnswer(subjectId, question, answer);
    } catch (error) {
      if (asProblem(error).status === 409) onRejected?.();
      throw error;
    } finally {
      for (const key of ["questions", "runs", "run"]) void client.invalidateQueries({ queryKey: [key] });
    }
  }
  const { interactionId } = question;
  return <QuestionForm key={interactionId} question={question} intro={intro} send={send} blockedBy={blockedBy} />;
}

/** The form of the answer to a question, of any kind. */
export function QuestionForm({
  question,
  intro,
  send,
  blockedBy,
}: {
  readonly question: InteractionRequest;
  /** What is read before answering: on a phone, the buttons stay in view below it. */
  readonly intro?: ReactNode;
  /** Rejects with the server's problem. */
  readonly send: (answer: AnswerBody) => Promise<void>;
  readonly blockedBy: string | undefined;
}) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const form = useRef<HTMLFormElement>(null);
  useFocusKept(form);
  const name = answerDraft(question);
  useFocusPassedOn(form, name);

  async function submit(answer: AnswerBody): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      await send(answer);
      removeDraftsOf(name);
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  }

  useShortcuts({
    "mod+Enter": () => form.current?.querySelector<HTMLButtonElement>("button[type=submit]")?.click(),
  });
  const controls: AnswerControls = {
    send: (answer) => void submit(answer),
    isBusy,
    blockedBy,
    draftName: name,
    draft: readDraft<AnswerBody>(name, {}),
    keep: (draft) => storeDraft(name, draft),
    errorOf: (path) => problem?.details.find((issue) => issue.path === path)?.message,
  };
  return (
    <form
      ref={form}
      tabIndex={-1}
      onSubmit={(event) => event.preventDefault()}
      className="flex flex-1 flex-col gap-4 outline-none"
    >
      {intro !== undefined && <div className="mb-2 max-sm:mb-auto max-sm:pb-2">{intro}</div>}
      {problem !== undefined && <FormError>{problem.message}</FormError>}
      {question.wizard !== undefined && <WizardBar question={question} controls={controls} />}
      <Controls key={name} question={question} controls={controls} />
    </form>
  );
}

function Controls({
  question,
  controls,
}: {
  readonly question: InteractionRequest;
  readonly controls: AnswerControls;
}) {
  switch (question.interactionType) {
    case "approval":
      return <ApprovalControls controls={controls} />;
    case "confirm_data":
      return <ConfirmControls data={"data" in question ? question.data : {}} controls={controls} />;
    case "choice":
      return <ChoiceControls choices={"choices" in question ? question.choices : []} controls={controls} />;
    case "text_input":
      return (
        <TextControls placeholder={"placeholder" in question ? question.placeholder : undefined} controls={controls} />
      );
    case "form":
      return <FormControls fields={"fields" in question ? question.fields : []} controls={controls} />;
  }
}
