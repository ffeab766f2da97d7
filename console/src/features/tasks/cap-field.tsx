import { TextField } from "../../ui/field.tsx";

/** The cap on the cost of a run, in USD, as the form's field `max_usd`. */
export function CapField() {
  return (
    <TextField
      name="max_usd"
      label="Cap in USD"
      aside="optional"
      path="budget.max_usd"
      type="number"
      min="0"
      step="any"
      inputMode="decimal"
      placeholder="none"
    />
  );
}
