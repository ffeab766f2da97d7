import { useQueryClient } from "@tanstack/react-query";
import { updateProfile } from "#client/gen/operations/accounts.ts";
import { call } from "../../api/client.ts";
import { refresh } from "../../api/session.ts";
import { useDrafted } from "../../forms/form-draft.ts";
import { textIn } from "../../forms/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { RecordForm } from "../../ui/record-form.tsx";
import { Section } from "../../ui/section.tsx";
import { showToast } from "../../ui/messages.ts";

const FIELDS = ["name", "email", "current_password"] as const;

interface Person {
  readonly name: string;
  readonly email: string;
}

/** The person's name and address. Another address needs the password. */
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
        fields={FIELDS}
        save={save}
        className="flex flex-col gap-4 pt-4"
        actions={({ isBusy }) => (
          <Button type="submit" look="primary" className="self-start" isBusy={isBusy}>
            Save profile
          </Button>
        )}
      >
        {({ errorOf }) => (
          <>
            <Field label="Name" error={errorOf("name")}>
              <Input name="name" autoComplete="name" defaultValue={person.name} />
            </Field>
            <EmailFields person={person} errorOf={errorOf} />
          </>
        )}
      </RecordForm>
    </Section>
  );
}

function EmailFields({
  person,
  errorOf,
}: {
  readonly person: Person;
  readonly errorOf: (path: string) => string | undefined;
}) {
  const [email, setEmail] = useDrafted("email", person.email);
  return (
    <>
      <Field label="E-mail address" error={errorOf("email")}>
        <Input
          name="email"
          type="email"
          autoComplete="email"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
      </Field>
      {email !== person.email && (
        <Field label="Current password" error={errorOf("current_password")} help="Another address needs it.">
          <Input name="current_password" type="password" autoComplete="current-password" />
        </Field>
      )}
    </>
  );
}
