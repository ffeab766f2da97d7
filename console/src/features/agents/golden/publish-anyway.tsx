import { textIn } from "../../../forms/use-submit.ts";
import { TextareaField } from "../../../ui/fields.tsx";
import { RecordDialog } from "../../../ui/record-dialog.tsx";

/** Asks an admin why something is published though it does not meet the gate. */
export default function PublishAnyway({
  runId,
  publish,
  onClose,
}: {
  readonly runId: string;
  readonly publish: (reason: string) => Promise<void>;
  readonly onClose: () => void;
}) {
  return (
    <RecordDialog
      title="Publish without meeting the gate?"
      action="Publish anyway"
      width="small"
      draft={`golden.override.${runId}`}
      save={(values) => publish(textIn(values, "override"))}
      onSaved={onClose}
      onClose={onClose}
    >
      <TextareaField name="override" label="Reason" help="The audit log records it." rows={3} required autoFocus />
    </RecordDialog>
  );
}
