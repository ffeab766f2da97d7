import { signedIn } from "../../api/session.ts";
import type { Access } from "../../api/session.ts";
import { textIn, useSubmit } from "../../forms/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Field, FormError, Input } from "../../ui/field.tsx";
import { callAuth } from "./auth.ts";

/** E-mail address and password. */
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
  const { onSubmit, isBusy, errorOf, formError } = useSubmit(async (values) => {
    const access = await callAuth<Access>("POST", "/auth/sign-in", {
      email: textIn(values, "email"),
      password: textIn(values, "password"),
      ...(workspaceId !== undefined && { workspace_id: workspaceId }),
    });
    signedIn(access);
    onSignedIn(access);
  });
  const error = formError(["email", "password"]);
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      {error !== undefined && <FormError>{error}</FormError>}
      <Field label="E-mail address" error={errorOf("email")}>
        <Input
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={email}
          autoFocus={email === undefined}
        />
      </Field>
      <Field label="Password" error={errorOf("password")}>
        <Input
          name="password"
          type="password"
          autoComplete="current-password"
          required
          autoFocus={email !== undefined}
        />
      </Field>
      <Button look="primary" type="submit" size="large" isBusy={isBusy} className="mt-1">
        Sign in
      </Button>
    </form>
  );
}
