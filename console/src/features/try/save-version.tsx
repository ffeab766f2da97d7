import { useQueryClient } from "@tanstack/react-query";
import { Suspense, lazy } from "react";
import { updateAgent } from "#client/gen/operations/agents.ts";
import { call } from "../../api/client.ts";
import { loadPart } from "../../lib/load-part.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { showToast } from "../../ui/messages.ts";
import type { Agent } from "../agents/records.ts";
import { ChangeList } from "./change-list.tsx";
import type { Change } from "./change-list.tsx";
import type { Conversation } from "./queries.ts";

const TryFirst = lazy(() => loadPart(() => import("../agents/golden/try-first.tsx")));

/** Gives the agent the settings of a reply, as a new version, once the person has seen what changes. */
export function SaveVersion({
  agent,
  changes,
  values,
  onClose,
}: {
  readonly agent: Agent;
  /** What differs from the agent as it is. */
  readonly changes: readonly Change[];
  readonly values: Conversation["changes"];
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const { version: _version, effort, ...fields } = values ?? { version: null };
  const changed = { ...fields, ...(effort !== undefined && { reasoning: { effort } }) };
  async function save(): Promise<void> {
    const saved = await call(updateAgent)({ id: agent.id }, changed);
    client.setQueryData(["agent", agent.id], saved);
    void client.invalidateQueries({ queryKey: ["agent", agent.id] });
    void client.invalidateQueries({ queryKey: ["agents"] });
    showToast(`Saved as version ${saved.version}.`);
  }
  return (
    <Confirm
      title={`Save as version ${agent.version + 1}?`}
      action="Save version"
      look="primary"
      onClose={onClose}
      onConfirm={save}
    >
      <p>
        New runs of “{agent.name}” use it. Version {agent.version} stays in the list of versions.
      </p>
      <ChangeList changes={changes} />
      <Suspense>
        <TryFirst agentId={agent.id} candidate={{ changes: changed }} />
      </Suspense>
    </Confirm>
  );
}
