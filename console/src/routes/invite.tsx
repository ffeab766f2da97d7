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

interface Offer {
  readonly workspace_name: string;
  readonly email: string;
  readonly role: string;
  readonly has_account: boolean;
}

/** Where the link of an invitation leads. */
export function InvitePage() {
  return (
    <LinkCheck
      load={(token) => readLink<Offer>("/auth/invitations", token)}
      invalid={
        <>
          If you have joined already,{" "}
          <Link to="/sign-in" className="text-accent underline underline-offset-2">
            sign in
          </Link>
          . Otherwise ask the person who invited you for a new link.
        </>
      }
    >
      {(offer, token) => (
        <AccountPage
          title={`Join “${offer.workspace_name}”`}
          intro={`You are invited as ${offer.role}, under the address ${offer.email}.`}
        >
          <InviteForm offer={offer} token={token} />
        </AccountPage>
      )}
    </LinkCheck>
  );
}

function InviteForm({ offer, token }: { readonly offer: Offer; readonly token: string }) {
  const navigate = useNavigate();
  const { email, has_account: hasAccount } = offer;
  async function act(values: FormData): Promise<void> {
    const [password, name] = [textIn(values, "password"), textIn(values, "name")];
    const joined = await callAuth<{ readonly workspace_id: string }>("POST", "/auth/invitations/accept", {
      token,
      password,
      ...(name !== "" && { name }),
    });
    const body = { email, password, workspace_id: joined.workspace_id };
    signedIn(await callAuth<Access>("POST", "/auth/sign-in", body));
    await navigate({ to: "/", replace: true });
  }
  return (
    <Form act={act}>
      <FormProblem />
      <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
      {hasAccount ? (
        <TextField
          name="password"
          label="Password"
          help="The one of your account under this address."
          type="password"
          autoComplete="current-password"
          required
          autoFocus
        />
      ) : (
        <>
          <NewPasswordField />
          <NameField />
        </>
      )}
      <SubmitButton size="large" className="mt-1">
        Join workspace
      </SubmitButton>
    </Form>
  );
}
