import { Link } from "@tanstack/react-router";
import type { Access } from "../api/session.ts";
import { AccountForm } from "../features/accounts/account-form.tsx";
import { AccountPage } from "../features/accounts/account-page.tsx";
import { callAuth, readLink } from "../features/accounts/auth.ts";
import { LinkCheck } from "../features/accounts/link-check.tsx";
import { WaysIn } from "../features/accounts/provider-link.tsx";
import { NameField, NewPasswordField } from "../features/accounts/new-account-fields.tsx";
import { textIn } from "../forms/use-submit.ts";
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
          <WaysIn>
            <InviteForm offer={offer} token={token} />
          </WaysIn>
        </AccountPage>
      )}
    </LinkCheck>
  );
}

function InviteForm({ offer, token }: { readonly offer: Offer; readonly token: string }) {
  const { email, has_account: hasAccount } = offer;
  async function enter(values: FormData): Promise<Access> {
    const [password, name] = [textIn(values, "password"), textIn(values, "name")];
    const joined = await callAuth<{ readonly workspace_id: string }>("POST", "/auth/invitations/accept", {
      token,
      password,
      ...(name !== "" && { name }),
    });
    const body = { email, password, workspace_id: joined.workspace_id };
    return callAuth<Access>("POST", "/auth/sign-in", body);
  }
  return (
    <AccountForm draft="invitation" action="Join workspace" enter={enter}>
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
    </AccountForm>
  );
}
