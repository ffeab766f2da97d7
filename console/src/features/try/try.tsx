import { useMemo } from "react";
import { randomId } from "../../lib/random-id.ts";
import { AgentForm } from "../agents/form/agent-form.tsx";
import type { DraftState } from "../agents/form/use-draft.ts";
import type { Agent } from "../agents/records.ts";
import { Chat } from "./chat.tsx";
import { OtherAgent } from "./other-agent.tsx";
import { useStoredConversation } from "./queries.ts";
import { SideBySide } from "./side-by-side.tsx";

/**
 * A conversation with the saved agent, with its form beside it on a wide screen; or a reply of it beside the same one
 * with changes.
 */
export default function Try({
  agent,
  draft,
  thread,
  rerun,
}: {
  readonly agent: Agent;
  readonly draft: DraftState;
  readonly thread: string | undefined;
  readonly rerun: string | undefined;
}) {
  // The conversation has its id before its first message, so that it stays the same component once it is in the URL.
  // oxlint-disable-next-line react/exhaustive-deps -- the conversation after this one is another
  const next = useMemo(randomId, [thread]);
  const id = thread ?? next;
  const { data: stored } = useStoredConversation(rerun ?? thread);
  if (stored !== undefined && stored.agent?.id !== agent.id) {
    return <OtherAgent conversation={stored} search={rerun === undefined ? { thread: id } : { rerun }} />;
  }
  if (rerun !== undefined) return <SideBySide key={rerun} agent={agent} rerun={rerun} />;
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,32.5rem)_minmax(0,1fr)] max-lg:grid-cols-1">
      <div className="flex flex-col border-e border-line max-lg:hidden">
        <AgentForm agent={agent} state={draft} isNarrow />
      </div>
      <Chat key={id} agent={agent} changed={draft.changed} id={id} isStarted={thread !== undefined} />
    </div>
  );
}
