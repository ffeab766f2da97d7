import { StateChip } from "../../ui/state.tsx";

/** Whether agents may use a connection, and whether it answered last. */
export function ConnectionState({ isEnabled, error }: { readonly isEnabled: boolean; readonly error: string | null }) {
  if (!isEnabled) return <StateChip state="cancelled">Off</StateChip>;
  if (error !== null) return <StateChip state="failed">Failing</StateChip>;
  return <StateChip state="completed">On</StateChip>;
}
