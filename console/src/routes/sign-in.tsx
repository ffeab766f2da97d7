import { useRouter, useSearch } from "@tanstack/react-router";
import { AccountPage } from "../features/accounts/account-page.tsx";
import { SignInForm } from "../features/accounts/sign-in-form.tsx";
import { SignUpHint } from "../features/accounts/sign-up-hint.tsx";

/** Signing in; afterwards the page that asked for it. */
export function SignInPage() {
  const { next } = useSearch({ from: "/sign-in" });
  const { history } = useRouter();
  return (
    <AccountPage title="Sign in" footer={<SignUpHint />}>
      <SignInForm onSignedIn={() => history.replace(next ?? "/")} />
    </AccountPage>
  );
}
