import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { createAgent, deleteAgent } from "#client/gen/operations/agents.ts";
import { exportAgent } from "#client/gen/operations/export-and-import.ts";
import { call } from "../../api/client.ts";
import { useChanged } from "../../api/use-changed.ts";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { COPY_ID, withMod } from "../../lib/keys.ts";
import { saveFile } from "../../lib/save-file.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { copyText } from "../../ui/copy.tsx";
import { CopyIcon } from "../../ui/icon.tsx";
import { DownloadIcon, TrashIcon } from "../../ui/icons.ts";
import { MenuItem } from "../../ui/menu.tsx";
import { RecordMenu } from "../../ui/record-menu.tsx";
import type { Removal } from "../../ui/removal.tsx";
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
  const duplicate = useDuplicate(agent);
  const removal = useAgentRemoval(agent);
  const worker = { kind: "agent", id: agent.id, name: agent.name } as const;
  const hasOpenRuns = useHasOpenRuns(worker);
  const copyId = () => void copyText(agent.id);
  useShortcuts({ [COPY_ID]: copyId });

  async function exportFile(): Promise<void> {
    const file = await call(exportAgent)({ id: agent.id });
    saveFile(`${agent.name}.agent.json`, JSON.stringify(file, null, 2));
  }

  return (
    <>
      {hasOpenRuns === true && <StopRuns worker={worker} />}
      <RecordMenu blockedBy={blockedBy} icon={TrashIcon} removal={removal}>
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

function useDuplicate(agent: Agent): () => Promise<void> {
  const changed = useChanged("agents");
  const navigate = useNavigate();
  const { slug } = useWorkspace();
  return async () => {
    const draft = { ...draftOf(agent), name: `${agent.name.slice(0, 90)} (copy)` };
    const { needs_review: needsReview } = agent;
    const copy = await call(createAgent)({ ...bodyOf(draft), needs_review: needsReview });
    await changed();
    await navigate({ to: "/w/$workspace/agents/$id", params: { workspace: slug, id: copy.id } });
    showToast(`“${copy.name}” created.`);
  };
}

function useAgentRemoval({ id, name }: Agent): Removal {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { slug } = useWorkspace();
  return {
    title: `Delete “${name}”?`,
    action: "Delete agent",
    effect: (
      <>
        <DeletionEffects thing={{ kind: "agents", id }} />
        <p>
          Its versions are deleted too. Ended runs and their cost stay. Export it first to keep its prompt and tools.
        </p>
      </>
    ),
    async remove() {
      await call(deleteAgent)({ id });
      await navigate({ to: "/w/$workspace/agents", params: { workspace: slug } });
      client.removeQueries({ queryKey: ["agent", id] });
      void client.invalidateQueries({ queryKey: ["agents"] });
    },
  };
}
