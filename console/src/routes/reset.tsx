import { useNavigate } from "@tanstack/react-router";
import { signedIn } from "../api/session.ts";
import type { Access } from "../api/session.ts";
import { AccountPage } from "../features/accounts/account-page.tsx";
import { callAuth, readLink } from "../features/accounts/auth.ts";
import { LinkCheck } from "../features/accounts/link-check.tsx";
import { NewPasswordField } from "../features/accounts/new-account-fields.tsx";
import { textIn } from "../forms/use-submit.ts";
import { Form, FormProblem, SubmitButton } from "../ui/form.tsx";

/** Where a link for a new password leads. */
export function ResetPage() {
  return (
    <LinkCheck
      load={(token) => readLink<{ readonly email: string }>("/auth/reset", token)}
      invalid="The operator of this service can give you a new link."
    >
      {({ email }, token) => (
        <AccountPage title="Set a new password" intro={`For ${email}. You are signed out everywhere else.`}>
          <ResetForm email={email} token={token} />
        </AccountPage>
      )}
    </LinkCheck>
  );
}

function ResetForm({ email, token }: { readonly email: string; readonly token: string }) {
  const navigate = useNavigate();
  async function act(values: FormData): Promise<void> {
    const password = textIn(values, "password");
    await callAuth("POST", "/auth/reset", { token, password });
    signedIn(await callAuth<Access>("POST", "/auth/sign-in", { email, password }));
    await navigate({ to: "/", replace: true });
  }
  return (
    <Form act={act}>
      <FormProblem />
      {/* Password managers keep the password under this address. */}
      <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
      <NewPasswordField />
      <SubmitButton size="large" className="mt-1">
        Set password
      </SubmitButton>
    </Form>
  );
}
