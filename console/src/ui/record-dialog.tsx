import { useState } from "react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { SubmitButton } from "./form.tsx";
import { ConfirmRemoval } from "./removal.tsx";
import type { Removal } from "./removal.tsx";
import { RecordForm } from "./record-form.tsx";
import type { RecordFormProps } from "./record-form.tsx";

/** A dialog with the form of a record: what was typed is there again when it is opened again. */
export function RecordDialog<T extends object, S>({
  title,
  description,
  action,
  removal,
  before,
  beside,
  after,
  isReady = true,
  width = "regular",
  onClose,
  ...form
}: Omit<RecordFormProps<T, S>, "actions"> & {
  readonly title: string;
  readonly description?: string;
  /** The label of the button that saves. */
  readonly action: string;
  /** Confirmed in place of the form; absent where there is nothing to remove. */
  readonly removal?: Removal | undefined;
  /** Further buttons: at the start of the last line, before the button that saves, and after it. */
  readonly before?: ReactNode;
  readonly beside?: ReactNode;
  readonly after?: ReactNode;
  /** False while something is missing to save it. */
  readonly isReady?: boolean;
  readonly width?: "small" | "regular";
  readonly onClose: () => void;
}) {
  const [isRemoving, setRemoving] = useState(false);
  if (isRemoving && removal !== undefined) {
    return <ConfirmRemoval removal={removal} onClose={onClose} />;
  }
  return (
    <Dialog title={title} {...(description !== undefined && { description })} isOpen width={width} onClose={onClose}>
      <RecordForm
        {...form}
        actions={
          <DialogActions>
            {removal !== undefined && (
              <Button look="danger" className="me-auto" blockedBy={form.blockedBy} onClick={() => setRemoving(true)}>
                {removal.action}
              </Button>
            )}
            {before}
            <CloseButton hasMore={Boolean(before) || Boolean(after)} onClose={onClose} />
            {beside}
            <SubmitButton disabled={!isReady}>{action}</SubmitButton>
            {after}
          </DialogActions>
        }
      />
    </Dialog>
  );
}

/** Beside further buttons a phone has no room for it: the dialog's head closes it, too. */
function CloseButton({ hasMore, onClose }: { readonly hasMore: boolean; readonly onClose: () => void }) {
  return (
    <Button className={hasMore ? "max-sm:hidden" : ""} onClick={onClose}>
      Close
    </Button>
  );
}
