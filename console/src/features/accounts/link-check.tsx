import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ReactNode } from "react";
import { asProblem } from "../../api/problem.ts";
import { useIsSlow } from "../../ui/states.tsx";
import { AccountPage } from "./account-page.tsx";
import { useFragmentToken } from "./use-fragment-token.ts";

/** Checks a one-time link before its form is shown; explains why a link is no longer valid. */
export function LinkCheck<T>({
  load,
  invalid,
  children,
}: {
  /** Reads what the token offers. */
  readonly load: (token: string) => Promise<T>;
  /** What to do when the link has been used or has expired. */
  readonly invalid: ReactNode;
  readonly children: (offer: T, token: string) => ReactNode;
}) {
  const inFragment = useFragmentToken();
  const [token, setToken] = useState(inFragment);
  // On the way to the next page there is no fragment any more.
  if (inFragment !== "" && inFragment !== token) setToken(inFragment);
  const isSlow = useIsSlow();
  const { data, error } = useQuery({
    queryKey: ["link", token],
    queryFn: () => load(token),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (error !== null) {
    return (
      <AccountPage title="This link can't be used" intro={asProblem(error).message} footer={invalid}>
        {null}
      </AccountPage>
    );
  }
  if (data === undefined) return isSlow ? <AccountPage title="Checking the link">{null}</AccountPage> : null;
  return children(data, token);
}
