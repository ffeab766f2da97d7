import { Link, useNavigate } from "@tanstack/react-router";
import { signedIn } from "../api/session.ts";
import type { Access } from "../api/session.ts";
import { AccountPage } from "../features/accounts/account-page.tsx";
import { callAuth, readLink } from "../features/accounts/auth.ts";
import { LinkCheck } from "../features/accounts/link-check.tsx";
import { NameField, NewPasswordField } from "../features/accounts/new-account-fields.tsx";
import { textIn } from "../forms/use-submit.ts";
import { Form, FormProblem, SubmitButton } from "../ui/form.tsx";
import { TextField } from "../ui/field.tsx";

/** Where the link of the first start leads: the owner's account, once. */
export function SetupPage() {
  return (
    <LinkCheck
      load={(token) => readLink<{ readonly workspace_name: string }>("/auth/setup", token)}
      invalid={
        <>
          If you have set up your account already, <SignInLink />. Otherwise get a new link on the server:{" "}
          <code>muster setup-link</code>
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
  const navigate = useNavigate();
  async function act(values: FormData): Promise<void> {
    const [email, password, name] = [textIn(values, "email"), textIn(values, "password"), textIn(values, "name")];
    await callAuth("POST", "/auth/setup", { token, email, password, ...(name !== "" && { name }) });
    signedIn(await callAuth<Access>("POST", "/auth/sign-in", { email, password }));
    await navigate({ to: "/", replace: true });
  }
  return (
    <Form act={act}>
      <FormProblem />
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
      <SubmitButton size="large" className="mt-1">
        Create account
      </SubmitButton>
    </Form>
  );
}

function SignInLink() {
  return (
    <Link to="/sign-in" className="text-accent underline underline-offset-2">
      sign in
    </Link>
  );
}
