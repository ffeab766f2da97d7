import { useState } from "react";
import { deleteWorkspace } from "#client/gen/operations/workspaces.ts";
import { call } from "../../api/client.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { textIn, useSubmit } from "../../forms/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field, FormError, Input } from "../../ui/field.tsx";
import { Section } from "../../ui/section.tsx";

/** Deletes the workspace once its name is typed. */
export function DeleteWorkspace({ name }: { readonly name: string }) {
  const blockedBy = useBlockedBy("owner");
  const [isAsking, setAsking] = useState(false);
  const { onSubmit, isBusy, errorOf, formError } = useSubmit(async (values) => {
    const query = { confirm: textIn(values, "confirm") };
    await call(deleteWorkspace)(query);
    location.assign("/");
  });
  const error = formError(["confirm"]);
  return (
    <Section
      title="Delete"
      aside={
        <Button look="danger" blockedBy={blockedBy} onClick={() => setAsking(true)}>
          Delete workspace
        </Button>
      }
    >
      <p className="py-3 text-ink-2">Its work is cancelled, its keys end, and everything in it is deleted for good.</p>
      {isAsking && (
        <Dialog
          title={`Delete the workspace "${name}"?`}
          description="Agents, teams, runs, files, knowledge and their history go with it. This cannot be undone."
          isOpen
          onClose={() => setAsking(false)}
          width="small"
        >
          <form onSubmit={onSubmit} className="flex flex-col gap-4">
            {error !== undefined && <FormError>{error}</FormError>}
            <Field label={`Type "${name}"`} error={errorOf("confirm")}>
              <Input name="confirm" autoFocus autoComplete="off" />
            </Field>
            <DialogActions>
              <Button onClick={() => setAsking(false)}>Keep</Button>
              <Button look="dangerFilled" type="submit" isBusy={isBusy}>
                Delete workspace
              </Button>
            </DialogActions>
          </form>
        </Dialog>
      )}
    </Section>
  );
}
