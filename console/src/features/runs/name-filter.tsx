import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";

const MAX_NAME = 40;

/** Asks for the name under which the present filters are kept. */
export default function NameFilter({
  onSave,
  onClose,
}: {
  readonly onSave: (name: string) => void;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState("");
  return (
    <Dialog title="Save these filters" isOpen onClose={onClose} width="small">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSave(name.trim());
          onClose();
        }}
      >
        <TextField
          label="Name"
          help="This browser keeps them. To share them, share the URL of the page."
          value={name}
          required
          maxLength={MAX_NAME}
          onChange={({ target }) => setName(target.value)}
        />
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" disabled={name.trim() === ""}>
            Save filters
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
