import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { connectGoogleAccount, getGoogleAccount } from "#client/gen/operations/output-routes.ts";
import { call } from "../../api/client.ts";
import { asProblem } from "../../api/problem.ts";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/field.tsx";

/** The Google account that the workspace's Google routes use, and the way to connect one. */
export function GoogleAccount() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const { data: account, refetch } = useQuery({
    queryKey: ["google-account"],
    queryFn: () =>
      call(getGoogleAccount)().catch((failure: unknown) => {
        if (asProblem(failure).status === 404) return null;
        throw failure;
      }),
  });

  async function connect(): Promise<void> {
    setBusy(true);
    setError(undefined);
    try {
      const { url } = await call(connectGoogleAccount)();
      window.open(url, "_blank", "noopener");
    } catch (failure) {
      setError(asProblem(failure).message);
    } finally {
      setBusy(false);
    }
  }

  if (account === undefined) return null;
  const isGood = account?.status === "active";
  return (
    <div className="flex flex-col gap-2 box px-3 py-2">
      {error !== undefined && <FormError>{error}</FormError>}
      <p className="text-ink-2">
        {account === null
          ? "Google routes use a Google account of the workspace. None is connected."
          : isGood
            ? `Uses the Google account ${account.email}.`
            : `Google no longer accepts the account ${account.email}: ${account.error ?? "connect it again"}.`}
      </p>
      {!isGood && (
        <div className="flex gap-2">
          <Button size="small" isBusy={isBusy} onClick={() => void connect()}>
            Connect Google account
          </Button>
          <Button size="small" look="quiet" onClick={() => void refetch()}>
            Check again
          </Button>
        </div>
      )}
    </div>
  );
}
