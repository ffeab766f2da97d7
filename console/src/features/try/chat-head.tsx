import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { buttonClass } from "../../ui/button.tsx";
import type { Agent } from "../agents/records.ts";
import { changedSettings } from "./queries.ts";
import type { Conversation } from "./queries.ts";
import { changesBetween, settingsOf } from "./settings.ts";

/** What to know before judging the answers: what is not saved is not tried, and what this conversation has changed. */
export function ChatHead({
  agent,
  changed,
  conversation,
  thread,
}: {
  readonly agent: Agent;
  readonly changed: readonly string[];
  readonly conversation: Conversation | undefined;
  readonly thread: string | undefined;
}) {
  const { slug } = useWorkspace();
  if (changed.length === 0 && thread === undefined) return null;
  const saved = settingsOf(agent);
  const own = changesBetween(saved, { ...saved, ...changedSettings(conversation?.changes ?? null) });
  const params = { workspace: slug, id: agent.id };
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-page py-1.5">
      {changed.length > 0 && (
        <p role="status" className="text-waiting">
          Version {agent.version} answers. Not tried, since not saved: {changed.join(", ")}
        </p>
      )}
      {own.length > 0 && (
        <p className="text-ink-2">Changed in this conversation: {own.map(({ label }) => label).join(", ")}</p>
      )}
      {thread !== undefined && (
        <span className="ms-auto flex flex-wrap gap-2">
          <Link
            to="/w/$workspace/runs/$id"
            params={{ workspace: slug, id: thread }}
            className={buttonClass({ size: "small" })}
          >
            Open run
          </Link>
          <Link
            to="/w/$workspace/agents/$id"
            params={params}
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
