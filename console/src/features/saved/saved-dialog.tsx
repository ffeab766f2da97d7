import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ReactNode } from "react";
import { useBlockedBy } from "../../api/use-session.ts";
import { useSubmit } from "../../lib/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { FormError } from "../../ui/field.tsx";
import { showToast } from "../../ui/messages.ts";

/** What {@link SavedDialog} edits. */
export interface SavedKind {
  /** As in `voice`. */
  readonly noun: string;
  /** Of the queries that list it. */
  readonly queryKey: string;
  /** The paths of its fields. */
  readonly fields: readonly string[];
}

/** Creates, changes or deletes what agents share: a voice or an output template. */
export function SavedDialog({
  kind: { noun, queryKey, fields },
  name,
  save,
  remove,
  onClose,
  children,
}: {
  readonly kind: SavedKind;
  /** Its name; undefined for a new one. */
  readonly name: string | undefined;
  /** Sends the form; gets the name under which it was saved. */
  readonly save: (values: FormData) => Promise<{ readonly name: string }>;
  readonly remove: () => Promise<void>;
  readonly onClose: () => void;
  /** The fields, each with the server's issue. */
  readonly children: (errorOf: (path: string) => string | undefined) => ReactNode;
}) {
  const client = useQueryClient();
  const blockedBy = useBlockedBy("member");
  const [isDeleting, setDeleting] = useState(false);
  const { onSubmit, isBusy, errorOf, formError } = useSubmit(async (values) => {
    const saved = await save(values);
    await client.invalidateQueries({ queryKey: [queryKey] });
    showToast(`${saved.name} saved.`);
    onClose();
  });
  const error = formError(fields);
  if (isDeleting) {
    return (
      <Confirm
        title={`Delete the ${noun} ${name}?`}
        action={`Delete ${noun}`}
        onClose={onClose}
        onConfirm={async () => {
          await remove();
          await client.invalidateQueries({ queryKey: [queryKey] });
        }}
      >
        <p>Agents that selected it go back to their own.</p>
      </Confirm>
    );
  }
  return (
    <Dialog title={name ?? `New ${noun}`} isOpen onClose={onClose}>
      <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
        <fieldset disabled={blockedBy !== undefined} className="flex min-w-0 flex-col gap-4">
          {error !== undefined && <FormError>{error}</FormError>}
          {children(errorOf)}
        </fieldset>
        <DialogActions>
          {name !== undefined && (
            <Button look="danger" className="me-auto" blockedBy={blockedBy} onClick={() => setDeleting(true)}>
              Delete {noun}
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" isBusy={isBusy} blockedBy={blockedBy}>
            Save {noun}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
