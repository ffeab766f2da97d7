import { useState } from "react";
import type { ReactNode } from "react";
import { asProblem } from "../api/problem.ts";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { FormError } from "./field.tsx";

/** Asks for confirmation, most often of a deletion, and lists the effects. Stays open with the server's message when it fails. */
export function Confirm({
  title,
  action,
  look = "dangerFilled",
  onConfirm,
  onClose,
  children,
}: {
  /** As in `Delete the agent "Support"?` */
  readonly title: string;
  /** The label of the button, as in `Delete agent`. */
  readonly action: string;
  /** For what loses nothing. */
  readonly look?: "dangerFilled" | "primary";
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  /** What is deleted with it, and what stays. */
  readonly children: ReactNode;
}) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  async function confirm(): Promise<void> {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
    } catch (failure) {
      setError(asProblem(failure).message);
      setBusy(false);
      return;
    }
    onClose();
  }

  return (
    <Dialog title={title} isOpen onClose={onClose} width="small">
      {error !== undefined && (
        <div className="mb-3">
          <FormError>{error}</FormError>
        </div>
      )}
      <div className="flex flex-col gap-2 pb-4 text-ink-2">{children}</div>
      <DialogActions>
        <Button onClick={onClose}>{look === "primary" ? "Close" : "Keep"}</Button>
        <Button look={look} isBusy={isBusy} onClick={() => void confirm()}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
