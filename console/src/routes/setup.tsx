import { Link } from "@tanstack/react-router";
import type { Access } from "../api/session.ts";
import { AccountForm } from "../features/accounts/account-form.tsx";
import { AccountPage } from "../features/accounts/account-page.tsx";
import { callAuth, readLink } from "../features/accounts/auth.ts";
import { LinkCheck } from "../features/accounts/link-check.tsx";
import { NameField, NewPasswordField } from "../features/accounts/new-account-fields.tsx";
import { textIn } from "../forms/use-submit.ts";
import { TextField } from "../ui/field.tsx";

/** Where the link of the first start leads: the owner's account, once. */
export function SetupPage() {
  return (
    <LinkCheck
      load={(token) => readLink<{ readonly workspace_name: string }>("/auth/setup", token)}
      invalid={
        <>
          If you have set up your account already, <SignInLink />. Otherwise get a new link on the server:{" "}
          <code className="font-mono text-mono">muster setup-link</code>
        </>
      }
    >
      {({ workspace_name: name }, token) => (
        <AccountPage title="Welcome to Muster" intro={`This account will own the workspace “${name}”.`}>
          <SetupForm token={token} />
        </AccountPage>
      )}
    </LinkCheck>
  );
}

function SetupForm({ token }: { readonly token: string }) {
  async function enter(values: FormData): Promise<Access> {
    const [email, password, name] = [textIn(values, "email"), textIn(values, "password"), textIn(values, "name")];
    await callAuth("POST", "/auth/setup", { token, email, password, ...(name !== "" && { name }) });
    return callAuth<Access>("POST", "/auth/sign-in", { email, password });
  }
  return (
    <AccountForm draft="setup" action="Create account" enter={enter}>
      <TextField
        name="email"
        label="E-mail address"
        help="You sign in with it. Nothing is sent to it."
        type="email"
        autoComplete="username"
        required
        autoFocus
      />
      <NewPasswordField />
      <NameField />
    </AccountForm>
  );
}

function SignInLink() {
  return (
    <Link to="/sign-in" className="text-accent underline underline-offset-2">
      sign in
    </Link>
  );
}
