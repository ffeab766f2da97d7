import { textIn } from "../forms/use-submit.ts";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { TextField } from "./field.tsx";
import { Form, FormProblem, SubmitButton } from "./form.tsx";

/** Asks for the name of what is deleted for good. The server compares it. */
export function TypedConfirm({
  title,
  name,
  action,
  effect,
  onConfirm,
  onClose,
}: {
  readonly title: string;
  /** What to type. */
  readonly name: string;
  /** The label of the button. */
  readonly action: string;
  readonly effect: string;
  readonly onConfirm: (typed: string) => Promise<void>;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={title} description={effect} isOpen onClose={onClose} width="small">
      <Form act={(values) => onConfirm(textIn(values, "confirm"))}>
        <FormProblem />
        <TextField name="confirm" label={`Type "${name}"`} autoFocus />
        <DialogActions>
          <Button onClick={onClose}>Keep</Button>
          <SubmitButton look="dangerFilled">{action}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
