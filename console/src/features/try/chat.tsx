import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { hasEnded, stateOf } from "../../lib/run-state.ts";
import { usePageNavigate } from "../../lib/use-page-navigate.ts";
import type { Agent } from "../agents/records.ts";
import { storeComposerText } from "../records/composer-text.ts";
import { useRun } from "../records/run-queries.ts";
import { Followed } from "../run/log/followed.tsx";
import { cancelRuns } from "../runs/bulk.ts";
import { ChatHead } from "./chat-head.tsx";
import { Composer } from "./composer.tsx";
import { ConversationList } from "./conversation-list.tsx";
import { useStoredConversation } from "./queries.ts";
import { QueryPart } from "../../ui/query-part.tsx";
import { QuestionBubble } from "./question-bubble.tsx";
import { sendMessage } from "./send-message.ts";
import { Reply, Said } from "./turn-view.tsx";
import { TurnFoot } from "./turn-foot.tsx";
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
  const client = useQueryClient();
  const stored = useStoredConversation(isStarted ? id : undefined);
  const turns = stored.data?.turns ?? [];
  /** What was sent last, and the number of turns before it: it is shown until it is one of them. */
  const [sent, setSent] = useState<{ readonly text: string; readonly at: number }>();
  const pending = sent !== undefined && turns.length <= sent.at ? sent.text : undefined;
  const replies = useConversation(id, isStarted);
  const newest = turns.at(-1)?.run?.attempt ?? 0;
  const hasStoredEnd = stored.data !== undefined && hasEnded(stateOf({ kind: "task", status: stored.data.status }));
  // The events of a reply that has ended are read again, too.
  const isOver = hasStoredEnd || replies.get(newest)?.isOver === true;
  const count = turns.length + (pending === undefined ? 0 : 1);
  const question = useRun(id, undefined, { isEnabled: isStarted }).data?.question ?? null;
  const isWorking = isStarted && (pending !== undefined || (stored.data !== undefined && !isOver));

  async function say(text: string): Promise<void> {
    await sendMessage(agent.id, id, text);
    storeComposerText(agent.id, "");
    setSent({ text, at: turns.length });
    void client.invalidateQueries({ queryKey: ["run", id] });
    void client.invalidateQueries({ queryKey: ["runs", "conversations", agent.id] });
    if (!isStarted) await navigate({ search: { tab: "try", thread: id }, replace: true });
  }

  async function stop(): Promise<void> {
    const { skipped } = await cancelRuns([id]);
    for (const key of ["runs", "run", "questions"]) void client.invalidateQueries({ queryKey: [key] });
    if (skipped[0] !== undefined) throw new Error(skipped[0].message);
  }

  return (
    <section aria-label="Conversation" className="flex min-w-0 flex-col">
      <ChatHead agent={agent} changed={changed} conversation={stored.data} thread={isStarted ? id : undefined} />
      <div className="flex-1 px-page py-5">
        <Followed
          turn={sent !== undefined || (stored.data !== undefined && !isOver) ? count : undefined}
          className="flex flex-col gap-6"
        >
          {!isStarted && pending === undefined && (
            <>
              <p className="text-ink-2">
                Say something. The agent answers as in any run, with its tools, and at its cost.
              </p>
              <ConversationList agentId={agent.id} />
            </>
          )}
          {isStarted && pending === undefined && <QueryPart query={stored}>{() => null}</QueryPart>}
          {turns.map((turn, index) => (
            <div key={index} className="flex flex-col gap-3">
              <Said text={turn.message} />
              <Reply turn={turn} transcript={turn.run?.id === id ? replies.get(turn.run.attempt) : undefined} />
              <TurnFoot agent={agent} conversation={stored.data} turn={turn} />
            </div>
          ))}
          {pending !== undefined && (
            <div className="flex flex-col gap-3">
              <Said text={pending} />
              <Reply turn={undefined} transcript={replies.get(newest + 1)} />
            </div>
          )}
          {question !== null && <QuestionBubble key={question.interactionId} id={id} question={question} />}
        </Followed>
      </div>
      <Composer agentId={agent.id} isWorking={isWorking} onSay={say} onStop={stop} />
    </section>
  );
}
