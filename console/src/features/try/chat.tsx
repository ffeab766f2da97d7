import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ComponentProps, ReactNode } from "react";
import { useChanged } from "../../api/use-changed.ts";
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

/** What {@link Chat} takes. */
interface ChatProps {
  readonly agent: Agent;
  /** The labels of what is not saved, and so is not tried. */
  readonly changed: readonly string[];
  /** The id of its task, which the first message creates. */
  readonly id: string;
  readonly isStarted: boolean;
}

/** A conversation with an agent. It is a task like any other: its run has all details. */
export function Chat({ agent, changed, id, isStarted }: ChatProps) {
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

  return (
    <section aria-label="Conversation" className="flex min-w-0 flex-col">
      <ChatHead agent={agent} changed={changed} conversation={stored.data} thread={isStarted ? id : undefined} />
      <div className="flex-1 px-page py-5">
        <Followed
          turn={sent !== undefined || (stored.data !== undefined && !isOver) ? count : undefined}
          className="flex flex-col gap-6"
        >
          {!isStarted && pending === undefined && <Beginning agentId={agent.id} />}
          {isStarted && pending === undefined && <QueryPart query={stored}>{() => null}</QueryPart>}
          {turns.map((turn, index) => (
            <Exchange
              key={index}
              message={turn.message}
              turn={turn}
              transcript={turn.run?.id === id ? replies.get(turn.run.attempt) : undefined}
            >
              <TurnFoot agent={agent} conversation={stored.data} turn={turn} />
            </Exchange>
          ))}
          {pending !== undefined && (
            <Exchange message={pending} turn={undefined} transcript={replies.get(newest + 1)} />
          )}
          {question !== null && <QuestionBubble key={question.interactionId} id={id} question={question} />}
        </Followed>
      </div>
      <Composer agentId={agent.id} isWorking={isWorking} onSay={say} onStop={useStop(id)} />
    </section>
  );
}

function useStop(id: string): () => Promise<void> {
  const changed = useChanged("runs", "run", "questions");
  return async () => {
    const { skipped } = await cancelRuns([id]);
    void changed();
    if (skipped[0] !== undefined) throw new Error(skipped[0].message);
  };
}

function Beginning({ agentId }: { readonly agentId: string }) {
  return (
    <>
      <p className="text-ink-2">Say something. The agent answers as in any run, with its tools, and at its cost.</p>
      <ConversationList agentId={agentId} />
    </>
  );
}

/** A message with what the agent did and said then. */
function Exchange({
  message,
  children,
  ...reply
}: ComponentProps<typeof Reply> & { readonly message: string | null; readonly children?: ReactNode }) {
  return (
    <div className="flex flex-col gap-3">
      <Said text={message} />
      <Reply {...reply} />
      {children}
    </div>
  );
}
