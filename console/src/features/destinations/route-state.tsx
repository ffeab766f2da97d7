import { StateChip } from "../../ui/state.tsx";
import type { Route } from "./records.ts";

/** Whether a route delivers: active, failing since its last delivery, or paused. */
export function RouteState({ route }: { readonly route: Route }) {
  if (!route.is_active) return <StateChip state="cancelled">Paused</StateChip>;
  if (route.failures_in_row > 0) return <StateChip state="failed">Failing</StateChip>;
  return <StateChip state="completed">Active</StateChip>;
}
