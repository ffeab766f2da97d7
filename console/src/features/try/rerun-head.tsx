import { Link } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { EditIcon } from "../../ui/icons.ts";
import type { Agent } from "../agents/records.ts";
import type { TurnIn } from "./queries.ts";

/** What can be done with two replies: back, on from one of them, once more, or saved. */
export function RerunHead({
  agent,
  before,
  after,
  canSave,
  onEdit,
  onSave,
}: {
  readonly agent: Agent;
  readonly before: TurnIn;
  readonly after: TurnIn;
  /** Whether the second reply had settings that the agent has not. */
  readonly canSave: boolean;
  readonly onEdit: () => void;
  readonly onSave: () => void;
}) {
  const { slug: workspace } = useWorkspace();
  const blockedBy = useBlockedBy("member");
  const [a, b] = [before, after].map(({ turn }) => (turn.run === null ? "" : `${turn.run.id}.${turn.run.attempt}`));
  const params = { workspace, id: agent.id };
  const link = buttonClass({ size: "small" });
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-2 border-b border-line px-page py-1.5">
      <Link
        to="/w/$workspace/agents/$id"
        params={params}
        search={{ tab: "try", thread: before.conversation.id }}
        className={link}
      >
        Back to conversation
      </Link>
      <Link to="/w/$workspace/runs/compare" params={{ workspace }} search={{ a: a ?? "", b: b ?? "" }} className={link}>
        Compare steps
      </Link>
      <Link
        to="/w/$workspace/agents/$id"
        params={params}
        search={{ tab: "try", thread: after.conversation.id }}
        className={link}
      >
        Continue with the new one
      </Link>
      <span className="ms-auto flex flex-wrap gap-2">
        <Button size="small" icon={EditIcon} blockedBy={blockedBy} onClick={onEdit}>
          Edit and run again
        </Button>
        {canSave && (
          <Button size="small" look="primary" blockedBy={blockedBy} onClick={onSave}>
            Save as version
          </Button>
        )}
      </span>
    </div>
  );
}
