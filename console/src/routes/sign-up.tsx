import { Link } from "@tanstack/react-router";
import type { Access } from "../api/session.ts";
import { AccountForm } from "../features/accounts/account-form.tsx";
import { AccountPage } from "../features/accounts/account-page.tsx";
import { callAuth } from "../features/accounts/auth.ts";
import { NameField, NewPasswordField } from "../features/accounts/new-account-fields.tsx";
import { useServiceOptions } from "../features/accounts/options.ts";
import { WaysIn } from "../features/accounts/provider-link.tsx";
import { textIn } from "../forms/use-submit.ts";
import { TextField } from "../ui/field.tsx";

const FIELDS = ["email", "password", "name", "workspace_name"] as const;

/** Creating an account with its own workspace, where the service allows it. */
export function SignUpPage() {
  const { data } = useServiceOptions();
  const footer = (
    <>
      Have an account?{" "}
      <Link to="/sign-in" className="text-accent underline underline-offset-2">
        Sign in
      </Link>
    </>
  );
  if (data?.sign_up === "closed") {
    return (
      <AccountPage title="Sign-up is closed" intro="People join this service by invitation." footer={footer}>
        {null}
      </AccountPage>
    );
  }
  return (
    <AccountPage title="Create your account" intro="You get a workspace of your own." footer={footer}>
      <WaysIn>
        <SignUpForm />
      </WaysIn>
    </AccountPage>
  );
}

function SignUpForm() {
  async function enter(values: FormData): Promise<Access> {
    const given = FIELDS.map((name) => [name, textIn(values, name)] as const).filter(([, value]) => value !== "");
    return callAuth<Access>("POST", "/auth/sign-up", Object.fromEntries(given));
  }
  return (
    <AccountForm draft="sign-up" action="Create account" enter={enter}>
      <TextField name="email" label="E-mail address" type="email" autoComplete="username" required autoFocus />
      <NewPasswordField />
      <NameField />
      <TextField
        name="workspace_name"
        label="Workspace"
        aside="optional"
        help="You can change its name later."
        placeholder="My workspace"
        maxLength={100}
      />
    </AccountForm>
  );
}
