import { Dialog, DialogActions } from "./dialog.tsx";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy.tsx";
import type { ReactNode } from "react";

/** A secret that is shown this once: it is only in the state of its dialog, until that closes. */
export function OneTimeSecret({
  title,
  label,
  secret,
  onClose,
  children,
}: {
  readonly title: string;
  /** What it is, such as `Secret`. */
  readonly label: string;
  readonly secret: string;
  readonly onClose: () => void;
  /** What it is for, and what can be done when it is lost. */
  readonly children: ReactNode;
}) {
  return (
    <Dialog title={title} description={children} isOpen onClose={onClose}>
      <div className="mt-2 flex items-start gap-1 box bg-surface py-1 ps-3 pe-1">
        <code aria-label={label} className="min-w-0 flex-1 py-1 font-mono text-mono break-all">
          {secret}
        </code>
        <CopyButton text={secret} label={`Copy ${label.toLowerCase()}`} />
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
