import { Field, Input } from "../../ui/field.tsx";

/** The cap on the cost of a run, in USD, as the form's field `max_usd`. */
export function CapField({
  errorOf,
}: {
  /** The server's issue with a field of the request, by its path. */
  readonly errorOf: (path: string) => string | undefined;
}) {
  return (
    <Field label="Cap in USD" aside="optional" error={errorOf("budget.max_usd")}>
      <Input name="max_usd" type="number" min="0" step="any" inputMode="decimal" placeholder="none" />
    </Field>
  );
}
