import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { cost, duration, tokens } from "../../lib/format.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { EditIcon } from "../../ui/icons.ts";
import type { Agent } from "../agents/records.ts";
import type { Conversation, Turn } from "./queries.ts";
import { RerunSheet } from "./rerun-sheet.tsx";

/** Below a reply: what it took, and the way to the same one with changes. */
export function TurnFoot({
  agent,
  conversation,
  turn,
}: {
  readonly agent: Agent;
  readonly conversation: Conversation | undefined;
  readonly turn: Turn;
}) {
  const { slug } = useWorkspace();
  const blockedBy = useBlockedBy("member");
  const [isEditing, setEditing] = useState(false);
  const { run, attempt } = turn;
  if (conversation === undefined || run === null || attempt === null || attempt.duration_ms === null) return null;
  const search = { tab: "try" as const, thread: conversation.id };
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-3">
      <Facts attempt={attempt} />
      <Button size="small" icon={EditIcon} blockedBy={blockedBy} onClick={() => setEditing(true)}>
        Edit and run again
      </Button>
      {attempt.reruns.map(({ id }, index) => (
        <Link
          key={id}
          to="/w/$workspace/agents/$id"
          params={{ workspace: slug, id: agent.id }}
          search={{ ...search, rerun: id }}
          className={buttonClass({ size: "small", look: "quiet" })}
        >
          {`Rerun ${index + 1}`}
        </Link>
      ))}
      {isEditing && (
        <RerunSheet agent={agent} conversation={conversation} turn={turn} onClose={() => setEditing(false)} />
      )}
    </div>
  );
}

/** `1.2 s · 320 tokens · $0.002` */
export function Facts({ attempt }: { readonly attempt: NonNullable<Turn["attempt"]> }) {
  const { duration_ms: took, tokens: used, cost_usd: usd } = attempt;
  return (
    <span className="whitespace-nowrap">
      {[...(took === null ? [] : [duration(took)]), `${tokens(used)} tokens`, cost(usd)].join(" · ")}
    </span>
  );
}
