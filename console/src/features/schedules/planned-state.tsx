import { StateChip } from "../../ui/state.tsx";

/** Whether a schedule or a trigger makes tasks. */
export function PlannedState({ isActive }: { readonly isActive: boolean }) {
  return isActive ? <StateChip state="completed">Active</StateChip> : <StateChip state="cancelled">Paused</StateChip>;
}
