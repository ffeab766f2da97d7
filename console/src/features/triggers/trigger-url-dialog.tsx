import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Command } from "../../ui/states.tsx";
import { curlLine } from "./records.ts";
import type { ShownTrigger } from "./records.ts";

/** The URL of a trigger, shown this once: it is in the state of its dialog only. */
export function TriggerUrlDialog({
  trigger,
  onClose,
}: {
  readonly trigger: ShownTrigger;
  readonly onClose: () => void;
}) {
  return (
    <Dialog
      title="URL of the trigger"
      description="Anyone who knows it can create tasks, so it is shown only once. You can create a new one at any time."
      isOpen
      onClose={onClose}
    >
      <div className="mt-2 flex items-start gap-1 box bg-surface py-1 ps-3 pe-1">
        <code aria-label="URL" className="min-w-0 flex-1 py-1 font-mono text-mono break-all">
          {trigger.url}
        </code>
        <CopyButton text={trigger.url} label="Copy URL" />
      </div>
      <h3 className="pt-4 text-h3 font-semibold">Try it</h3>
      <Command text={curlLine(trigger.url)} />
      {trigger.has_secret && (
        <p className="pt-2 text-ink-2">This trigger has a secret: the line above needs a signature to be accepted.</p>
      )}
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
