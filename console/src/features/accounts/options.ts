import { useQuery } from "@tanstack/react-query";
import type { components } from "../../api/paths.gen.ts";
import { callAuth } from "./auth.ts";

const REFRESH_MS = 60_000;

/** What the service tells people who are not signed in: whether they can sign up, and which build of the page it has. */
export function useServiceOptions() {
  return useQuery({
    queryKey: ["options"],
    queryFn: () => callAuth<components["schemas"]["SignInOptions"]>("GET", "/auth/options"),
    refetchInterval: REFRESH_MS,
  });
}
