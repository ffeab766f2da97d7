import { useQuery } from "@tanstack/react-query";
import type { components } from "#client/gen/schema.ts";
import { callAuth } from "./auth.ts";

/** What people who are not signed in may know: whether they can sign up. */
export function useServiceOptions() {
  return useQuery({
    queryKey: ["options"],
    queryFn: () => callAuth<components["schemas"]["SignInOptions"]>("GET", "/auth/options"),
  });
}
