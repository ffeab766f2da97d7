import { useState } from "react";
import { deleteWorkspace } from "#client/gen/operations/workspaces.ts";
import { call } from "../../api/client.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { textIn } from "../../forms/use-submit.ts";
import { Form, FormProblem, SubmitButton } from "../../ui/form.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Section } from "../../ui/section.tsx";

/** Deletes the workspace once its name is typed. */
export function DeleteWorkspace({ name }: { readonly name: string }) {
  const blockedBy = useBlockedBy("owner");
  const [isAsking, setAsking] = useState(false);
  async function act(values: FormData): Promise<void> {
    const query = { confirm: textIn(values, "confirm") };
    await call(deleteWorkspace)(query);
    location.assign("/");
  }
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
          <Form act={act}>
            <FormProblem />
            <TextField name="confirm" label={`Type "${name}"`} autoFocus />
            <DialogActions>
              <Button onClick={() => setAsking(false)}>Keep</Button>
              <SubmitButton look="dangerFilled">Delete workspace</SubmitButton>
            </DialogActions>
          </Form>
        </Dialog>
      )}
    </Section>
  );
}
