import { Link, useNavigate } from "@tanstack/react-router";
import { signedIn } from "../api/session.ts";
import type { Access } from "../api/session.ts";
import { AccountPage } from "../features/accounts/account-page.tsx";
import { callAuth } from "../features/accounts/auth.ts";
import { NameField, NewPasswordField } from "../features/accounts/new-account-fields.tsx";
import { useServiceOptions } from "../features/accounts/options.ts";
import { textIn, useSubmit } from "../forms/use-submit.ts";
import { Button } from "../ui/button.tsx";
import { Field, FormError, Input } from "../ui/field.tsx";

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
      <SignUpForm />
    </AccountPage>
  );
}

function SignUpForm() {
  const navigate = useNavigate();
  const { onSubmit, isBusy, errorOf, formError } = useSubmit(async (values) => {
    const given = FIELDS.map((name) => [name, textIn(values, name)] as const).filter(([, value]) => value !== "");
    signedIn(await callAuth<Access>("POST", "/auth/sign-up", Object.fromEntries(given)));
    await navigate({ to: "/", replace: true });
  });
  const error = formError(FIELDS);
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      {error !== undefined && <FormError>{error}</FormError>}
      <Field label="E-mail address" error={errorOf("email")}>
        <Input name="email" type="email" autoComplete="username" required autoFocus />
      </Field>
      <NewPasswordField error={errorOf("password")} />
      <NameField error={errorOf("name")} />
      <Field label="Workspace" aside="optional" help="You can change its name later." error={errorOf("workspace_name")}>
        <Input name="workspace_name" placeholder="My workspace" maxLength={100} />
      </Field>
      <Button look="primary" type="submit" size="large" isBusy={isBusy} className="mt-1">
        Create account
      </Button>
    </form>
  );
}
