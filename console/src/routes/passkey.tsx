import { Link, useRouter, useSearch } from "@tanstack/react-router";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { listPasskeys } from "#client/gen/operations/accounts.ts";
import { call } from "../api/client.ts";
import { refresh, signedIn } from "../api/session.ts";
import { signOut } from "../api/sign-out.ts";
import { useAccess, useWorkspace } from "../api/use-session.ts";
import { AccountPage } from "../features/accounts/account-page.tsx";
import { makePasskey } from "../features/accounts/passkey.ts";
import { passkeyProblem } from "../features/accounts/passkey-problem.ts";
import { loadPart } from "../lib/load-part.ts";
import { deviceLabel } from "../features/settings/device-label.ts";
import { slugOf } from "../lib/workspaces.ts";
import { visibleText } from "../lib/visible-text.ts";
import { Button } from "../ui/button.tsx";
import { Form, FormProblem, SubmitButton } from "../ui/form.tsx";
import { ErrorState } from "../ui/states.tsx";

const KEY = ["passkeys"] as const;

/** Before a workspace that requires a passkey: the first one is added here, later ones are used. */
export function PasskeyPage() {
  const { next } = useSearch({ from: "/passkey" });
  const { history } = useRouter();
  const client = useQueryClient();
  const { id, name } = useWorkspace();
  const { data, error, refetch } = useQuery({ queryKey: KEY, queryFn: () => call(listPasskeys)() });
  if (data === undefined) return error && <ErrorState error={error} onRetry={() => void refetch()} />;
  const isFirst = data.length === 0;
  async function act(): Promise<void> {
    if (isFirst) {
      await makePasskey(deviceLabel(navigator.userAgent));
      // If the session cannot be refreshed now, there is a passkey to use at the next try.
      void client.invalidateQueries({ queryKey: KEY });
      await refresh();
    } else signedIn(await (await loadPart(() => import("../features/accounts/passkey-sign-in.ts"))).enterByPasskey(id));
    history.replace(next ?? "/");
  }
  return (
    <AccountPage
      title={isFirst ? "Add a passkey" : "Use your passkey"}
      intro={`${visibleText(name)} requires a passkey: a password alone does not open it.`}
      footer={<OtherWays isFirst={isFirst} />}
    >
      <Form act={act}>
        <FormProblem />
        <SubmitButton size="large" blockedBy={passkeyProblem()}>
          {isFirst ? "Add a passkey" : "Use your passkey"}
        </SubmitButton>
      </Form>
    </AccountPage>
  );
}

/** What else one can do. */
function OtherWays({ isFirst }: { readonly isFirst: boolean }) {
  const { workspaces } = useAccess();
  const open = workspaces.filter((each) => !each.require_passkeys);
  return (
    <>
      {!isFirst && (
        <p className="mb-2">Lost it? The operator of this service can remove it, so that you can add a new one.</p>
      )}
      {open.map((each) => (
        <p key={each.id} className="mb-2">
          <Link
            to="/w/$workspace"
            params={{ workspace: slugOf(each) }}
            className="text-accent underline underline-offset-2"
          >
            Go to {visibleText(each.name)}
          </Link>
        </p>
      ))}
      <Button size="small" onClick={() => void signOut()}>
        Sign out
      </Button>
    </>
  );
}
