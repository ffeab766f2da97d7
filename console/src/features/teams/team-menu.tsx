import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { exportTeam } from "#client/gen/operations/export-and-import.ts";
import { call } from "../../api/client.ts";
import { asProblem } from "../../api/problem.ts";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { COPY_ID, withMod } from "../../lib/keys.ts";
import { saveFile } from "../../lib/save-file.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { AT_EDGE, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { copyText } from "../../ui/copy.tsx";
import { CopyIcon } from "../../ui/icon.tsx";
import { DownloadIcon, MoreIcon } from "../../ui/icons.ts";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { showToast } from "../../ui/messages.ts";
import { DeletionEffects } from "../used-by/deletion-effects.tsx";
import { useTeamActions } from "./queries.ts";
import type { Team } from "./queries.ts";

/** What can be done with a team besides editing and running it. */
export function TeamMenu({ team }: { readonly team: Team }) {
  const [isAsking, setAsking] = useState(false);
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

  return (
    <>
      <Menu trigger={<IconButton label="More actions" icon={MoreIcon} className={AT_EDGE} />}>
        <MenuItem
          icon={DownloadIcon}
          onSelect={() => void download().catch((error: unknown) => showToast(asProblem(error).message))}
        >
          Export with agents
        </MenuItem>
        <MenuItem icon={CopyIcon} keys={withMod(".")} onSelect={copyId}>
          Copy id
        </MenuItem>
        <MenuSeparator />
        <MenuItem look="danger" blockedBy={blockedBy} onSelect={() => setAsking(true)}>
          Delete team
        </MenuItem>
      </Menu>
      {isAsking && (
        <Confirm
          title={`Delete the team "${team.name}"?`}
          action="Delete team"
          onConfirm={async () => {
            await remove(team.id);
            await navigate({ to: "/w/$workspace/teams", params: { workspace: slug } });
          }}
          onClose={() => setAsking(false)}
        >
          <DeletionEffects thing={{ kind: "teams", id: team.id }} />
          <p>Its memories go too. Ended runs and the agents stay.</p>
        </Confirm>
      )}
    </>
  );
}
