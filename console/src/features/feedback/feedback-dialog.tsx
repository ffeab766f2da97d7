import { textIn } from "../../forms/use-submit.ts";
import { Field, Textarea } from "../../ui/field.tsx";
import { RecordDialog } from "../../ui/record-dialog.tsx";
import type { Feedback, FeedbackSubject } from "./queries.ts";

const FIELDS = ["note", "correction"] as const;

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
      fields={FIELDS}
      save={(values) => onSave({ note: textIn(values, "note"), correction: textIn(values, "correction") })}
      onSaved={onClose}
      onClose={onClose}
    >
      {({ errorOf }) => (
        <>
          <Field label="Note" aside="optional" error={errorOf("note")} help="What was good or bad, in a sentence.">
            <Textarea name="note" rows={3} maxLength={2000} defaultValue={own?.note} />
          </Field>
          <Field
            label="Corrected answer"
            aside="optional"
            error={errorOf("correction")}
            help="What the answer should have been."
          >
            <Textarea name="correction" rows={6} maxLength={50_000} defaultValue={own?.correction} />
          </Field>
        </>
      )}
    </RecordDialog>
  );
}
