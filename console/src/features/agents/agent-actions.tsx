import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { createAgent, deleteAgent } from "#client/gen/operations/agents.ts";
import { exportAgent } from "#client/gen/operations/export-and-import.ts";
import { call } from "../../api/client.ts";
import { asProblem } from "../../api/problem.ts";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { COPY_ID, withMod } from "../../lib/keys.ts";
import { saveFile } from "../../lib/save-file.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { AT_EDGE, IconButton } from "../../ui/button.tsx";
import { copyText } from "../../ui/copy.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { CopyIcon } from "../../ui/icon.tsx";
import { DownloadIcon, MoreIcon, TrashIcon } from "../../ui/icons.ts";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { showToast } from "../../ui/messages.ts";
import { useHasOpenRuns } from "../runs/stop-all.ts";
import { StopRuns } from "../runs/stop-runs.tsx";
import { DeletionEffects } from "../used-by/deletion-effects.tsx";
import { bodyOf } from "./form/body.ts";
import { draftOf } from "./form/draft.ts";
import type { Agent } from "./records.ts";

/** What can be done with an agent besides changing it. */
export function AgentActions({ agent }: { readonly agent: Agent }) {
  const [isDeleting, setDeleting] = useState(false);
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

  const worker = { kind: "agent", id: agent.id, name: agent.name } as const;
  const hasOpenRuns = useHasOpenRuns(worker);
  const copyId = () => void copyText(agent.id);
  useShortcuts({ [COPY_ID]: copyId });
  const orTell = (work: Promise<void>) => void work.catch((error: unknown) => showToast(asProblem(error).message));
  return (
    <>
      {hasOpenRuns === true && <StopRuns worker={worker} />}
      <Menu trigger={<IconButton label="More actions" icon={MoreIcon} className={AT_EDGE} />}>
        <MenuItem icon={DownloadIcon} onSelect={() => orTell(exportFile())}>
          Export
        </MenuItem>
        <MenuItem icon={CopyIcon} blockedBy={blockedBy} onSelect={() => orTell(duplicate())}>
          Duplicate
        </MenuItem>
        <MenuItem icon={CopyIcon} keys={withMod(".")} onSelect={copyId}>
          Copy id
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={TrashIcon} look="danger" blockedBy={blockedBy} onSelect={() => setDeleting(true)}>
          Delete agent
        </MenuItem>
      </Menu>
      {isDeleting && (
        <Confirm
          title={`Delete “${agent.name}”?`}
          action="Delete agent"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await call(deleteAgent)({ id: agent.id });
            await navigate({ to: "/w/$workspace/agents", params: { workspace: slug } });
            client.removeQueries({ queryKey: ["agent", agent.id] });
            void client.invalidateQueries({ queryKey: ["agents"] });
          }}
        >
          <DeletionEffects thing={{ kind: "agents", id: agent.id }} />
          <p>Its versions go too. Ended runs stay, with their cost. An export keeps its prompt and tools.</p>
        </Confirm>
      )}
    </>
  );
}
