import { StateChip } from "../../ui/state.tsx";

/** Whether agents may use a connection, and whether it answered last. */
export function ConnectionState({
  isEnabled,
  error,
  account = null,
}: {
  readonly isEnabled: boolean;
  readonly error: string | null;
  /** Of a server to which people sign in. */
  readonly account?: "missing" | "connected" | "lost" | null;
}) {
  if (!isEnabled) return <StateChip state="cancelled">Off</StateChip>;
  if (account === "lost") return <StateChip state="failed">Sign in again</StateChip>;
  if (account === "missing") return <StateChip state="waiting">Not signed in</StateChip>;
  if (error !== null) return <StateChip state="failed">Failing</StateChip>;
  return <StateChip state="completed">On</StateChip>;
}
