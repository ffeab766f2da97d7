import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";

/** Shows a text that is shown once. The component that opens it keeps the text until it unmounts. */
export function SecretDialog({
  title,
  secret,
  onClose,
  children,
}: {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
  readonly children: string;
}) {
  return (
    <Dialog title={title} description={children} isOpen onClose={onClose}>
      <div className="flex items-center gap-1 rounded-control border border-line bg-surface py-1 ps-3 pe-1">
        <code className="min-w-0 flex-1 py-1 font-mono text-small break-all">{secret}</code>
        <CopyButton text={secret} label="Copy" />
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
