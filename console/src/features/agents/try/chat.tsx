import { Link } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useWorkspace } from "../../../api/use-session.ts";
import { usePageNavigate } from "../../../lib/use-page-navigate.ts";
import { visibleText } from "../../../lib/visible-text.ts";
import { buttonClass } from "../../../ui/button.tsx";
import { Markdown } from "../../../ui/markdown.tsx";
import { AnswerForm } from "../../questions/answer-form.tsx";
import { useRun } from "../../records/run-queries.ts";
import type { OpenQuestion } from "../../records/run-head.ts";
import { cancelRuns } from "../../runs/bulk.ts";
import { Followed } from "../../run/log/followed.tsx";
import { TranscriptView } from "../../run/log/transcript-view.tsx";
import type { Transcript } from "../../run/log/transcript.ts";
import type { Agent } from "../records.ts";
import { Composer } from "./composer.tsx";
import { storeComposerText } from "../../records/composer-text.ts";
import { readSentMessages, sendMessage, storeSentMessages } from "./sent-messages.ts";
import { useConversation } from "./use-conversation.ts";

/** A conversation with an agent. It is a task like any other: its run has all details. */
export function Chat({
  agent,
  changed,
  id,
  isStarted,
}: {
  readonly agent: Agent;
  /** The labels of what is not saved, and so is not tried. */
  readonly changed: readonly string[];
  /** The id of its task, which the first message creates. */
  readonly id: string;
  readonly isStarted: boolean;
}) {
  const navigate = usePageNavigate({ from: "/w/$workspace/agents/$id" });
  const [said, setSaid] = useState(() => readSentMessages(id));
  const [atFirst] = useState(said.length);
  const answers = useConversation(id, isStarted);
  const question = useRun(id, undefined, { isEnabled: isStarted }).data?.question ?? null;
  const client = useQueryClient();
  const last = answers.at(-1);
  const isWorking = isStarted && (answers.length < said.length || (last !== undefined && !last.isOver));

  async function say(text: string): Promise<void> {
    await sendMessage(agent.id, id, text);
    const next = [...said, text];
    storeSentMessages(id, next);
    storeComposerText(agent.id, "");
    setSaid(next);
    if (!isStarted) await navigate({ search: { tab: "try", thread: id }, replace: true });
  }

  async function stop(): Promise<void> {
    const { skipped } = await cancelRuns([id]);
    for (const key of ["runs", "run", "questions"]) void client.invalidateQueries({ queryKey: [key] });
    if (skipped[0] !== undefined) throw new Error(skipped[0].message);
  }

  return (
    <section aria-label="Conversation" className="flex min-w-0 flex-col">
      <Notes agent={agent} changed={changed} thread={isStarted ? id : undefined} />
      <div className="flex-1 px-page py-5">
        <Followed
          turn={said.length > atFirst || last?.isOver === false ? said.length : undefined}
          className="flex flex-col gap-6"
        >
          {said.length === 0 && answers.length === 0 && (
            <p className="text-ink-2">
              Say something. The agent answers as in any run, with its tools, and at its cost.
            </p>
          )}
          {Array.from({ length: Math.max(said.length, answers.length) }, (_, index) => (
            <Exchange key={index} said={said[index]} answer={answers[index]} />
          ))}
          {question !== null && <QuestionBubble key={question.interactionId} id={id} question={question} />}
        </Followed>
      </div>
      <Composer agentId={agent.id} isWorking={isWorking} onSay={say} onStop={stop} />
    </section>
  );
}

/** What to know before judging the answers: what is not saved is not tried. */
function Notes({
  agent,
  changed,
  thread,
}: {
  readonly agent: Agent;
  readonly changed: readonly string[];
  readonly thread: string | undefined;
}) {
  const { slug } = useWorkspace();
  if (changed.length === 0 && thread === undefined) return null;
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-page py-1.5">
      {changed.length > 0 && (
        <p role="status" className="text-waiting">
          Version {agent.version} answers. Not tried, since not saved: {changed.join(", ")}
        </p>
      )}
      {thread !== undefined && (
        <span className="ms-auto flex gap-2">
          <Link
            to="/w/$workspace/runs/$id"
            params={{ workspace: slug, id: thread }}
            className={buttonClass({ size: "small" })}
          >
            Open run
          </Link>
          <Link
            to="/w/$workspace/agents/$id"
            params={{ workspace: slug, id: agent.id }}
            search={{ tab: "try" }}
            className={buttonClass({ size: "small" })}
          >
            New conversation
          </Link>
        </span>
      )}
    </div>
  );
}

function Exchange({ said, answer }: { readonly said: string | undefined; readonly answer: Transcript | undefined }) {
  return (
    <div className="flex flex-col gap-3">
      {said !== undefined && (
        <p dir="auto" className="max-w-[72ch] self-end rounded-panel bg-raised px-3 py-2 whitespace-pre-wrap">
          {said}
        </p>
      )}
      {answer === undefined ? (
        <p className="animate-breathe text-ink-3">Starting</p>
      ) : (
        <TranscriptView entries={answer.entries} nameOf={() => undefined} />
      )}
    </div>
  );
}

/** What the agent asks before it goes on; the person who tries it answers here. */
function QuestionBubble({ id, question }: { readonly id: string; readonly question: OpenQuestion }) {
  return (
    <section
      aria-labelledby={question.interactionId}
      className="flex max-w-[40rem] flex-col gap-3 rounded-panel border border-waiting/40 p-4"
    >
      <h3 id={question.interactionId} dir="auto" className="text-h3 font-semibold">
        {visibleText(question.title)}
      </h3>
      {question.description !== "" && <Markdown text={question.description} />}
      <AnswerForm subjectId={id} question={question} />
    </section>
  );
}
