import { STATE_LABELS } from "../../../lib/run-state.ts";
import { StateIcon } from "../../../ui/state.tsx";
import type { StepRow } from "../../records/run-head.ts";

/** The state of a step as an icon; screen readers read its label. */
export function StepState({ status }: { readonly status: StepRow["status"] | "pending" }) {
  return (
    <span role="img" aria-label={STATE_LABELS[status]} title={STATE_LABELS[status]} className="flex shrink-0">
      <StateIcon state={status} decorative />
    </span>
  );
}
