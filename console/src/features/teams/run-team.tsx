import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, read } from "../../api/client.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { storeDraft } from "../../lib/drafts.ts";
import { textIn, useSubmit } from "../../lib/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field, FormError, Textarea } from "../../ui/field.tsx";
import { CapField } from "../tasks/cap-field.tsx";
import { FilePicker } from "../tasks/file-picker.tsx";
import { useFormDraft } from "../tasks/use-form-draft.ts";
import type { Team } from "./queries.ts";

const FIELDS = ["input_task", "budget.max_usd"] as const;

/** Starts a team on a piece of work, and opens the run. What was typed stays until then. */
export function RunTeam({ team, onClose }: { readonly team: Team; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { slug } = useWorkspace();
  const draft = `run-team.${team.id}`;
  const { first, uploads, setUploads, onChange } = useFormDraft(draft);
  const { onSubmit, isBusy, errorOf, formError } = useSubmit(async (values) => {
    const cap = textIn(values, "max_usd");
    const body = {
      team_id: team.id,
      input_task: textIn(values, "input_task"),
      attachments: uploads.flatMap(({ id }) => (id === undefined ? [] : [id])),
      ...(cap !== "" && { budget: { max_usd: Number(cap) } }),
    };
    const run = await read(api.POST("/functions/v1/api-runs", { body }));
    storeDraft(draft, undefined);
    void client.invalidateQueries({ queryKey: ["runs"] });
    await navigate({ to: "/w/$workspace/runs/$id", params: { workspace: slug, id: run.id } });
  });
  const error = formError(FIELDS);
  return (
    <Dialog title={`Run ${team.name}`} isOpen onClose={onClose}>
      <form onSubmit={onSubmit} onChange={onChange} className="flex flex-col gap-4">
        {error !== undefined && <FormError>{error}</FormError>}
        <Field label="Input" error={errorOf("input_task")}>
          <Textarea name="input_task" defaultValue={first["input_task"]} required rows={5} className="min-h-28" />
        </Field>
        <FilePicker uploads={uploads} onChange={setUploads} />
        <div className="w-48">
          <CapField initial={first["max_usd"]} errorOf={errorOf} />
        </div>
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          <Button
            look="primary"
            type="submit"
            isBusy={isBusy}
            disabled={uploads.some(({ id, error: failure }) => id === undefined && failure === undefined)}
          >
            Run team
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
