import { useState } from "react";
import { useSettled } from "../../lib/use-settled.ts";
import { TextField } from "../../ui/field.tsx";
import { StoppedShare } from "../estimates/stopped-share.tsx";

/**
 * The cap on the cost of a run, in USD, as the form's field `max_usd`, and how many runs it would have stopped.
 * @param whose the agent or the team, as `pickedValue` writes it; empty for none
 */
export function CapField({ whose }: { readonly whose: string }) {
  const [typed, setTyped] = useState("");
  const settled = useSettled(typed);
  const isCap = settled !== "" && Number(settled) >= 0;
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
      help={
        isCap && whose !== "" && <StoppedShare whose={whose} cap={{ max_usd: Number(settled), max_tokens: null }} />
      }
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  );
}
