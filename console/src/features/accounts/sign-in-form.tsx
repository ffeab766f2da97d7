import { useEffect, useEffectEvent, useState } from "react";
import { Problem } from "../../api/problem.ts";
import { signedIn } from "../../api/session.ts";
import type { Access } from "../../api/session.ts";
import { textIn } from "../../forms/use-submit.ts";
import { Form, FormProblem, SubmitButton } from "../../ui/form.tsx";
import { FormError, TextField } from "../../ui/field.tsx";
import { loadPart } from "../../lib/load-part.ts";
import { callAuth } from "./auth.ts";
import { useServiceOptions } from "./options.ts";
import { passkeyProblem } from "./passkey-problem.ts";
import { ProviderLink } from "./provider-link.tsx";

/** A passkey belongs to a host name; where there is none, the service offers none. */
const IP_ADDRESS = /^[\d.]+$|^\[/;
const loadPasskeys = () => loadPart(() => import("./passkey-sign-in.ts"));

async function byPasskey(workspaceId: string | undefined): Promise<Access> {
  const problem = passkeyProblem();
  if (problem !== undefined) throw new Error(problem);
  return (await loadPasskeys()).enterByPasskey(workspaceId);
}

/** E-mail address and password, a passkey, or the way to the provider, which comes back to this page. */
export function SignInForm({
  email,
  workspaceId,
  onSignedIn,
}: {
  /** Whose session it was, where one has ended. */
  readonly email?: string;
  readonly workspaceId?: string;
  readonly onSignedIn: (access: Access) => void;
}) {
  const { data } = useServiceOptions();
  const [isSent, setSent] = useState(false);
  const failure = usePasskeyOffer(data?.password_sign_in === "on", { workspaceId, onSignedIn });
  async function act(values: FormData): Promise<void> {
    if (values.has("forgot")) {
      await (await loadPart(() => import("./forgot.ts"))).askForLink(textIn(values, "email"));
      return setSent(true);
    }
    const access = values.has("passkey")
      ? await byPasskey(workspaceId)
      : await callAuth<Access>("POST", "/auth/sign-in", {
          email: textIn(values, "email"),
          password: textIn(values, "password"),
          workspace_id: workspaceId,
        });
    signedIn(access);
    onSignedIn(access);
  }
  return (
    <Form act={act}>
      <FormProblem />
      {failure !== undefined && <FormError>{failure}</FormError>}
      {data?.password_sign_in !== "off" && (
        <>
          <PasswordFields email={email} />
          <SubmitButton size="large" className="mt-1">
            Sign in
          </SubmitButton>
          <SubmitButton name="passkey" formNoValidate look="plain" size="large">
            Use a passkey
          </SubmitButton>
          {data?.sends_mail && <Forgot isSent={isSent} />}
        </>
      )}
      <ProviderLink next={location.pathname + location.search} />
    </Form>
  );
}

/** Signs in with the passkey that is chosen among the suggestions of the address; returns why one is not accepted. */
function usePasskeyOffer(
  isOn: boolean,
  {
    workspaceId,
    onSignedIn,
  }: { readonly workspaceId: string | undefined; readonly onSignedIn: (access: Access) => void },
): string | undefined {
  const [failure, setFailure] = useState<string>();
  const enter = useEffectEvent((access: Access) => {
    signedIn(access);
    onSignedIn(access);
  });
  useEffect(() => {
    if (!isOn || passkeyProblem() !== undefined || IP_ADDRESS.test(location.hostname)) return;
    const leaving = new AbortController();
    void loadPasskeys()
      .then(({ offerPasskeys }) => offerPasskeys(leaving.signal, workspaceId))
      .then((access) => access && enter(access))
      .catch((error: unknown) => error instanceof Problem && setFailure(error.message));
    return () => leaving.abort();
  }, [isOn, workspaceId]);
  return failure;
}

function PasswordFields({ email }: { readonly email: string | undefined }) {
  return (
    <>
      <TextField
        name="email"
        label="E-mail address"
        type="email"
        autoComplete="username webauthn"
        required
        defaultValue={email}
        autoFocus={email === undefined}
      />
      <TextField
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        autoFocus={email !== undefined}
      />
    </>
  );
}

/** Asks for a link by mail, with the address that is typed above. */
function Forgot({ isSent }: { readonly isSent: boolean }) {
  if (isSent) return <p role="status">If the address has an account, a mail with a link is on its way.</p>;
  return (
    <SubmitButton name="forgot" formNoValidate look="quiet">
      Forgot your password?
    </SubmitButton>
  );
}
