import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { InteractionRequest } from "#domain/tasks/interaction-request.ts";
import type { components } from "#client/gen/schema.ts";
import { callAuth } from "../features/accounts/auth.ts";
import { useFragmentToken } from "../features/accounts/use-fragment-token.ts";
import { answererDraft, useNoAnswerDraft } from "../features/questions/answer-draft.ts";
import { QuestionForm } from "../features/questions/answer-form.tsx";
import { PendingLink } from "../features/questions/pending-link.tsx";
import { QuestionHeader } from "../features/questions/question-header.tsx";
import { StandalonePage } from "../features/questions/standalone-page.tsx";
import { isRequest } from "../features/questions/records.ts";
import type { AnswerBody } from "../features/questions/send-answer.ts";
import { readDraft, storeDraft } from "../forms/drafts.ts";
import { clockOrDate } from "../lib/format.ts";
import { visibleText } from "../lib/visible-text.ts";
import { Bdi } from "../ui/bdi.tsx";
import { TextField } from "../ui/field.tsx";
import { useClock } from "../ui/time.tsx";

type Linked = components["schemas"]["LinkedQuestion"];

/** How often the page checks whether another person has answered. */
const POLL_MS = 5_000;

/** The question of an answer link; no account is needed. */
export function AnswerLinkPage() {
  const token = useFragmentToken();
  const { data, error } = useQuery({
    queryKey: ["answer-link", token],
    queryFn: () => callAuth<Linked>("POST", "/auth/answer-link", { token }),
    refetchInterval: ({ state }) => (state.data?.state === "open" ? POLL_MS : false),
    retry: false,
  });
  useEffect(() => {
    document.title = `${titleOf(data)} · Muster`;
  }, [data]);
  if (data !== undefined) return <Question key={token} question={data} token={token} />;
  return <PendingLink token={token} error={error} />;
}

function Question({ question, token }: { readonly question: Linked; readonly token: string }) {
  const { request, workspace, state } = question;
  if (!isRequest(request)) return <StandalonePage workspace={workspace}>This question can't be shown.</StandalonePage>;
  if (state !== "open") return <Closed question={question} interactionId={request.interactionId} />;
  return <Open question={question} request={request} token={token} />;
}

function Open({
  question,
  request,
  token,
}: {
  readonly question: Linked;
  readonly request: InteractionRequest;
  readonly token: string;
}) {
  const client = useQueryClient();
  const [name, setName] = useState(() => readDraft(answererDraft(request), ""));
  const { workspace, asker, title, expires_at: due } = question;
  function writeName(next: string): void {
    setName(next);
    storeDraft(answererDraft(request), next === "" ? undefined : next);
  }
  async function send(answer: AnswerBody): Promise<void> {
    const { wizardStepId } = request;
    const body = { ...answer, token, name, ...(wizardStepId !== undefined && { wizardStepId }) };
    try {
      client.setQueryData(["answer-link", token], await callAuth<Linked>("POST", "/auth/answer-link/answer", body));
    } catch (failure) {
      void client.invalidateQueries({ queryKey: ["answer-link", token] });
      throw failure;
    }
  }
  const needsName = name.trim() === "" ? "Enter your name first." : undefined;
  return (
    <StandalonePage workspace={workspace}>
      <QuestionForm
        question={request}
        send={send}
        blockedBy={needsName}
        intro={
          <>
            <QuestionHeader request={request} asker={asker ?? undefined} title={title} due={due} />
            <div className="mt-6">
              <TextField
                label="Your name"
                help="Recorded with the answer."
                autoComplete="name"
                value={name}
                maxLength={100}
                onChange={({ target }) => writeName(target.value)}
                // The name alone is no answer.
                onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
              />
            </div>
          </>
        }
      />
    </StandalonePage>
  );
}

function Closed({ question, interactionId }: { readonly question: Linked; readonly interactionId: string }) {
  const { workspace, state, answered_at: at, answered_by: by } = question;
  useNoAnswerDraft(interactionId);
  const time = useClock((now) => (at === null ? "" : clockOrDate(new Date(at), now)));
  return (
    <StandalonePage workspace={workspace}>
      <h1 dir="auto" className="text-h1 font-semibold tracking-tight">
        {visibleText(titleOf(question))}
      </h1>
      <p role="status" className="mt-2 text-ink-2">
        {state === "expired" || at === null ? (
          "No answer came in time."
        ) : (
          <>
            Answered by <Bdi>{by ?? "another person"}</Bdi>, {time}
          </>
        )}
      </p>
    </StandalonePage>
  );
}

function titleOf(question: Linked | undefined): string {
  const title = question?.request["title"];
  return typeof title === "string" ? title : "Question";
}
