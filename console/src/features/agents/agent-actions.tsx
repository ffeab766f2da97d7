import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { createAgent, deleteAgent } from "#client/gen/operations/agents.ts";
import { exportAgent } from "#client/gen/operations/export-and-import.ts";
import { call } from "../../api/client.ts";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { COPY_ID, withMod } from "../../lib/keys.ts";
import { saveFile } from "../../lib/save-file.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { copyText } from "../../ui/copy.tsx";
import { CopyIcon } from "../../ui/icon.tsx";
import { DownloadIcon, TrashIcon } from "../../ui/icons.ts";
import { MenuItem } from "../../ui/menu.tsx";
import { RecordMenu } from "../../ui/record-menu.tsx";
import { orTell, showToast } from "../../ui/messages.ts";
import { useHasOpenRuns } from "../runs/stop-all.ts";
import { StopRuns } from "../runs/stop-runs.tsx";
import { DeletionEffects } from "../used-by/deletion-effects.tsx";
import { bodyOf } from "./form/body.ts";
import { draftOf } from "./form/draft.ts";
import type { Agent } from "./records.ts";

/** What can be done with an agent besides changing it. */
export function AgentActions({ agent }: { readonly agent: Agent }) {
  const blockedBy = useBlockedBy("member");
  const client = useQueryClient();
  const navigate = useNavigate();
  const { slug } = useWorkspace();

  async function exportFile(): Promise<void> {
    const file = await call(exportAgent)({ id: agent.id });
    saveFile(`${agent.name}.agent.json`, JSON.stringify(file, null, 2));
  }

  async function duplicate(): Promise<void> {
    const draft = { ...draftOf(agent), name: `${agent.name.slice(0, 90)} (copy)` };
    const { needs_review: needsReview } = agent;
    const copy = await call(createAgent)({ ...bodyOf(draft), needs_review: needsReview });
    await client.invalidateQueries({ queryKey: ["agents"] });
    await navigate({ to: "/w/$workspace/agents/$id", params: { workspace: slug, id: copy.id } });
    showToast(`“${copy.name}” created.`);
  }

  async function remove(): Promise<void> {
    await call(deleteAgent)({ id: agent.id });
    await navigate({ to: "/w/$workspace/agents", params: { workspace: slug } });
    client.removeQueries({ queryKey: ["agent", agent.id] });
    void client.invalidateQueries({ queryKey: ["agents"] });
  }

  const worker = { kind: "agent", id: agent.id, name: agent.name } as const;
  const hasOpenRuns = useHasOpenRuns(worker);
  const copyId = () => void copyText(agent.id);
  useShortcuts({ [COPY_ID]: copyId });
  return (
    <>
      {hasOpenRuns === true && <StopRuns worker={worker} />}
      <RecordMenu
        blockedBy={blockedBy}
        icon={TrashIcon}
        removal={{
          title: `Delete “${agent.name}”?`,
          action: "Delete agent",
          effect: (
            <>
              <DeletionEffects thing={{ kind: "agents", id: agent.id }} />
              <p>Its versions go too. Ended runs stay, with their cost. An export keeps its prompt and tools.</p>
            </>
          ),
          remove,
        }}
      >
        <MenuItem icon={DownloadIcon} onSelect={() => orTell(exportFile())}>
          Export
        </MenuItem>
        <MenuItem icon={CopyIcon} blockedBy={blockedBy} onSelect={() => orTell(duplicate())}>
          Duplicate
        </MenuItem>
        <MenuItem icon={CopyIcon} keys={withMod(".")} onSelect={copyId}>
          Copy id
        </MenuItem>
      </RecordMenu>
    </>
  );
}
