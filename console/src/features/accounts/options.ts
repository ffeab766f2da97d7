import { useQuery } from "@tanstack/react-query";
import { callAuth } from "./auth.ts";

/** What the service allows people who are not signed in. */
interface ServiceOptions {
  readonly service_name: string;
  /** Whether anybody can make an account, or only who is invited. */
  readonly sign_up: "open" | "closed";
  readonly setup_open: boolean;
}

/** What the service allows people who are not signed in. */
export function useServiceOptions() {
  return useQuery({
    queryKey: ["options"],
    queryFn: () => callAuth<ServiceOptions>("GET", "/auth/options"),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
