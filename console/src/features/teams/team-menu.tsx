import { useNavigate } from "@tanstack/react-router";
import { exportTeam } from "#client/gen/operations/export-and-import.ts";
import { call } from "../../api/client.ts";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { COPY_ID, withMod } from "../../lib/keys.ts";
import { saveFile } from "../../lib/save-file.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { copyText } from "../../ui/copy.tsx";
import { CopyIcon } from "../../ui/icon.tsx";
import { DownloadIcon } from "../../ui/icons.ts";
import { MenuItem } from "../../ui/menu.tsx";
import { RecordMenu } from "../../ui/record-menu.tsx";
import { orTell } from "../../ui/messages.ts";
import { DeletionEffects } from "../used-by/deletion-effects.tsx";
import { useTeamActions } from "./queries.ts";
import type { Team } from "./queries.ts";

/** What can be done with a team besides editing and running it. */
export function TeamMenu({ team }: { readonly team: Team }) {
  const navigate = useNavigate();
  const { slug } = useWorkspace();
  const { remove } = useTeamActions();
  const blockedBy = useBlockedBy("member");

  const copyId = () => void copyText(team.id);
  useShortcuts({ [COPY_ID]: copyId });

  async function download(): Promise<void> {
    const file = await call(exportTeam)({ id: team.id });
    saveFile(`${team.name}.json`, JSON.stringify(file, null, 2));
  }

  async function removeTeam(): Promise<void> {
    await remove(team.id);
    await navigate({ to: "/w/$workspace/teams", params: { workspace: slug } });
  }

  return (
    <RecordMenu
      blockedBy={blockedBy}
      removal={{
        title: `Delete the team "${team.name}"?`,
        action: "Delete team",
        effect: (
          <>
            <DeletionEffects thing={{ kind: "teams", id: team.id }} />
            <p>Its memories go too. Ended runs and the agents stay.</p>
          </>
        ),
        remove: removeTeam,
      }}
    >
      <MenuItem icon={DownloadIcon} onSelect={() => orTell(download())}>
        Export with agents
      </MenuItem>
      <MenuItem icon={CopyIcon} keys={withMod(".")} onSelect={copyId}>
        Copy id
      </MenuItem>
    </RecordMenu>
  );
}
