import { StateChip, StateIcon } from "../../ui/state.tsx";
import type { Delivery } from "./records.ts";

const STATES = {
  pending: { state: "running", words: "In progress" },
  success: { state: "completed", words: "Delivered" },
  failed: { state: "failed", words: "Failed" },
} as const;

/** The label of the state of a delivery. */
export function deliveryLabel(status: Delivery["status"]): string {
  return STATES[status].words;
}

/** The same as icon and word. */
export function DeliveryState({ status }: { readonly status: Delivery["status"] }) {
  const { state, words } = STATES[status];
  return <StateChip state={state}>{words}</StateChip>;
}

/** The state as an icon beside a label. */
export function DeliveryIcon({ status }: { readonly status: Delivery["status"] }) {
  return <StateIcon state={STATES[status].state} decorative />;
}
