import { useRouteTypes } from "./queries.ts";

/** The name of a type of destination, such as `Slack` for `slack`. */
export function RouteTypeName({ type }: { readonly type: string }) {
  return useRouteTypes().data?.find((each) => each.type === type)?.title ?? type;
}
