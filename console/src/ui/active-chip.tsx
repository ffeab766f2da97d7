import { StateChip } from "./state.tsx";

/** Whether a schedule, a trigger or a webhook subscription is active or paused. */
export function ActiveChip({ isActive }: { readonly isActive: boolean }) {
  return isActive ? <StateChip state="completed">Active</StateChip> : <StateChip state="cancelled">Paused</StateChip>;
}
