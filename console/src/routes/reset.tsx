import { useNavigate } from "@tanstack/react-router";
import { signedIn } from "../api/session.ts";
import type { Access } from "../api/session.ts";
import { AccountPage } from "../features/accounts/account-page.tsx";
import { callAuth, readLink } from "../features/accounts/auth.ts";
import { LinkCheck } from "../features/accounts/link-check.tsx";
import { NewPasswordField } from "../features/accounts/new-account-fields.tsx";
import { textIn, useSubmit } from "../forms/use-submit.ts";
import { Button } from "../ui/button.tsx";
import { FormError } from "../ui/field.tsx";

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
  const { onSubmit, isBusy, errorOf, formError } = useSubmit(async (values) => {
    const password = textIn(values, "password");
    await callAuth("POST", "/auth/reset", { token, password });
    signedIn(await callAuth<Access>("POST", "/auth/sign-in", { email, password }));
    await navigate({ to: "/", replace: true });
  });
  const error = formError(["password"]);
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      {error !== undefined && <FormError>{error}</FormError>}
      {/* Password managers keep the password under this address. */}
      <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
      <NewPasswordField error={errorOf("password")} />
      <Button look="primary" type="submit" size="large" isBusy={isBusy} className="mt-1">
        Set password
      </Button>
    </form>
  );
}
