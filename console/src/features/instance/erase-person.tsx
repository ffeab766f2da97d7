import { useState } from "react";
import { erasePerson } from "#client/gen/operations/workspaces.ts";
import { call } from "../../api/client.ts";
import { useChanged } from "../../api/use-changed.ts";
import { textIn } from "../../forms/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form, FormProblem, SubmitButton } from "../../ui/form.tsx";
import { showToast } from "../../ui/messages.ts";

/** Opens the form in which the operator names the person to erase. */
export function ErasePersonButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Erase person</Button>
      {isOpen && <ErasePersonDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function ErasePersonDialog({ onClose }: { readonly onClose: () => void }) {
  const changed = useChanged("erasures");
  async function erase(values: FormData): Promise<void> {
    const [email, confirm, id] = [textIn(values, "email"), textIn(values, "confirm"), textIn(values, "workspace_id")];
    await call(erasePerson)({ email, confirm, ...(id !== "" && { workspace_id: id }) });
    await changed();
    showToast("Their access has ended. Their name and address are removed in the background.");
    onClose();
  }
  return (
    <Dialog
      title="Erase a person"
      description="They lose access to all workspaces now, for good. What they did stays, by an erased person."
      isOpen
      onClose={onClose}
      width="small"
    >
      <Form act={erase}>
        <FormProblem />
        <TextField name="email" label="E-mail address" type="email" autoComplete="off" autoFocus />
        <TextField name="confirm" label="The address again" type="email" autoComplete="off" />
        <TextField
          name="workspace_id"
          label="Workspace id"
          aside="optional"
          help="One of the person's, if several accounts have the address."
        />
        <DialogActions>
          <Button onClick={onClose}>Keep</Button>
          <SubmitButton look="dangerFilled">Erase person</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
