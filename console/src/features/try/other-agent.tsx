import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Empty } from "../../ui/states.tsx";
import type { Conversation } from "./queries.ts";

/** In the place of a conversation that is another agent's: whose it is, and the way there. */
export function OtherAgent({
  conversation: { id, agent },
  search,
}: {
  readonly conversation: Conversation;
  /** The same view in the other agent's tab. */
  readonly search: { readonly thread: string } | { readonly rerun: string };
}) {
  const { slug: workspace } = useWorkspace();
  const look = buttonClass({ look: "primary" });
  return (
    <Empty
      title="This conversation belongs to another agent"
      action={
        agent === null ? (
          <Link to="/w/$workspace/runs/$id" params={{ workspace, id }} className={look}>
            Open run
          </Link>
        ) : (
          <Link
            to="/w/$workspace/agents/$id"
            params={{ workspace, id: agent.id }}
            search={{ tab: "try", ...search }}
            className={look}
          >
            Open in {visibleText(agent.name)}
          </Link>
        )
      }
    >
      {agent === null && "That agent was deleted. The run has all steps."}
    </Empty>
  );
}
