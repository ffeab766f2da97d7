import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { startTeamRun } from "#client/gen/operations/runs.ts";
import { call } from "../../api/client.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { textIn } from "../../forms/use-submit.ts";
import { TextareaField } from "../../ui/fields.tsx";
import { RecordDialog } from "../../ui/record-dialog.tsx";
import { UsualPrice } from "../estimates/usual-price.tsx";
import { pickedValue } from "../pickers/records.ts";
import { CapField } from "../tasks/cap-field.tsx";
import { FilePicker, attachmentsIn } from "../tasks/file-picker.tsx";
import type { Team } from "./queries.ts";

/** The name of the draft of this form. */
export function runTeamDraft(teamId: string): string {
  return `run-team.${teamId}`;
}

/** Starts a team on a piece of work, and opens the run. What was typed stays until then. */
export function RunTeam({ team, onClose }: { readonly team: Team; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { slug } = useWorkspace();
  const [isUploading, setUploading] = useState(false);
  async function save(values: FormData): Promise<string> {
    const cap = textIn(values, "max_usd");
    const body = {
      team_id: team.id,
      input_task: textIn(values, "input_task"),
      attachments: attachmentsIn(values),
      ...(cap !== "" && { budget: { max_usd: Number(cap) } }),
    };
    const { id } = await call(startTeamRun)(body);
    void client.invalidateQueries({ queryKey: ["runs"] });
    return id;
  }
  return (
    <RecordDialog
      title={`Run ${team.name}`}
      action="Run team"
      draft={runTeamDraft(team.id)}
      save={save}
      onSaved={(id) => navigate({ to: "/w/$workspace/runs/$id", params: { workspace: slug, id } })}
      isReady={!isUploading}
      onClose={onClose}
    >
      <TextareaField name="input_task" label="Input" required rows={5} className="min-h-28" />
      <FilePicker onUploading={setUploading} />
      <UsualPrice whose={pickedValue("team", team.id)} />
      <div className="w-48">
        <CapField whose={pickedValue("team", team.id)} />
      </div>
    </RecordDialog>
  );
}
