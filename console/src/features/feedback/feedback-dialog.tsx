import { textIn } from "../../forms/use-submit.ts";
import { TextareaField } from "../../ui/fields.tsx";
import { RecordDialog } from "../../ui/record-dialog.tsx";
import type { Feedback, FeedbackSubject } from "./queries.ts";

/** The words of a person's feedback. */
export function FeedbackDialog({
  subject: { runId, messageId },
  own,
  onSave,
  onClose,
}: {
  readonly subject: FeedbackSubject;
  readonly own: Feedback | undefined;
  readonly onSave: (said: { readonly note: string; readonly correction: string }) => Promise<void>;
  readonly onClose: () => void;
}) {
  return (
    <RecordDialog
      title={messageId === null ? "Feedback on this run" : "Feedback on this message"}
      action="Save feedback"
      draft={`feedback.${runId}.${messageId ?? "run"}`}
      save={(values) => onSave({ note: textIn(values, "note"), correction: textIn(values, "correction") })}
      onSaved={onClose}
      onClose={onClose}
    >
      <TextareaField
        name="note"
        label="Note"
        aside="optional"
        help="What was good or bad, in a sentence."
        rows={3}
        maxLength={2000}
        defaultValue={own?.note}
      />
      <TextareaField
        name="correction"
        label="Corrected answer"
        aside="optional"
        help="What the answer should have been."
        rows={6}
        maxLength={50_000}
        defaultValue={own?.correction}
      />
    </RecordDialog>
  );
}
