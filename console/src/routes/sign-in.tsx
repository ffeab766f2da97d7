import { Link, useRouter, useSearch } from "@tanstack/react-router";
import { AccountPage } from "../features/accounts/account-page.tsx";
import { SignInForm } from "../features/accounts/sign-in-form.tsx";
import { useServiceOptions } from "../features/accounts/options.ts";

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

/** How one gets an account here, and what to do without the password. */
function SignUpHint() {
  const { data } = useServiceOptions();
  return (
    <>
      {data?.sign_up === "open" && (
        <p className="mb-2">
          No account yet?{" "}
          <Link to="/sign-up" className="text-accent underline underline-offset-2">
            Create one
          </Link>
        </p>
      )}
      {data?.password_sign_in !== "off" && !data?.sends_mail && (
        <p>Forgot your password? The operator of this service can give you a link for a new one.</p>
      )}
    </>
  );
}
