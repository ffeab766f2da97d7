import { useQueryClient } from "@tanstack/react-query";
import { updateProfile } from "#client/gen/operations/accounts.ts";
import { call } from "../../api/client.ts";
import { refresh } from "../../api/session.ts";
import { useDrafted } from "../../forms/form-draft.ts";
import { textIn } from "../../forms/use-submit.ts";
import { TextField } from "../../ui/field.tsx";
import { SubmitButton } from "../../ui/form.tsx";
import { RecordForm } from "../../ui/record-form.tsx";
import { Section } from "../../ui/section.tsx";
import { showToast } from "../../ui/messages.ts";

interface Person {
  readonly name: string;
  readonly email: string;
  readonly has_password: boolean;
}

/** The person's name and address. Another address needs the password, which people of a provider have not. */
export function ProfileForm({ person }: { readonly person: Person }) {
  const client = useQueryClient();
  async function save(values: FormData): Promise<void> {
    const email = textIn(values, "email");
    const body = {
      name: textIn(values, "name"),
      ...(email !== person.email && { email, current_password: textIn(values, "current_password") }),
    };
    await call(updateProfile)(body);
    await Promise.all([client.invalidateQueries({ queryKey: ["profile"] }), refresh()]);
    showToast("Profile saved.");
  }
  return (
    <Section title="You">
      <RecordForm
        draft="profile"
        save={save}
        className="flex flex-col gap-4 pt-4"
        actions={<SubmitButton className="self-start">Save profile</SubmitButton>}
      >
        <TextField name="name" label="Name" autoComplete="name" defaultValue={person.name} />
        <EmailFields person={person} />
      </RecordForm>
    </Section>
  );
}

function EmailFields({ person }: { readonly person: Person }) {
  const [email, setEmail] = useDrafted("email", person.email);
  return (
    <>
      <TextField
        name="email"
        label="E-mail address"
        type="email"
        autoComplete="email"
        value={email}
        readOnly={!person.has_password}
        help={person.has_password ? undefined : "The address stays: your account has no password to confirm another."}
        onChange={({ target }) => setEmail(target.value)}
      />
      {email !== person.email && (
        <TextField
          name="current_password"
          label="Current password"
          help="Another address needs it."
          type="password"
          autoComplete="current-password"
        />
      )}
    </>
  );
}
