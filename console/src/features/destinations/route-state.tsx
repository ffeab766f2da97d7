import { StateChip } from "../../ui/state.tsx";
import type { Route } from "./records.ts";

/** Whether a route delivers: active, failing, or paused. */
export function RouteState({ route }: { readonly route: Route }) {
  if (!route.is_active) return <StateChip state="cancelled">Paused</StateChip>;
  if (route.health === "unhealthy") return <StateChip state="failed">Failing</StateChip>;
  return <StateChip state="completed">Active</StateChip>;
}
