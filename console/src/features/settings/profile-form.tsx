import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, read } from "../../api/client.ts";
import { refresh } from "../../api/session.ts";
import { textIn, useSubmit } from "../../lib/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Field, FormError, Input } from "../../ui/field.tsx";
import { Section } from "../../ui/section.tsx";
import { showToast } from "../../ui/messages.ts";

const FIELDS = ["name", "email", "current_password"] as const;

/** The person's name and address. Another address needs the password. */
export function ProfileForm({ person }: { readonly person: { readonly name: string; readonly email: string } }) {
  const client = useQueryClient();
  const [email, setEmail] = useState(person.email);
  const isMoving = email !== person.email;
  const { onSubmit, isBusy, errorOf, formError } = useSubmit(async (values) => {
    const body = {
      name: textIn(values, "name"),
      ...(isMoving && { email, current_password: textIn(values, "current_password") }),
    };
    await read(api.PATCH("/auth/me", { body }));
    await Promise.all([client.invalidateQueries({ queryKey: ["profile"] }), refresh()]);
    showToast("Profile saved.");
  });
  const error = formError(FIELDS);
  return (
    <Section title="You">
      <form onSubmit={onSubmit} className="flex flex-col gap-4 pt-4">
        {error !== undefined && <FormError>{error}</FormError>}
        <Field label="Name" error={errorOf("name")}>
          <Input name="name" autoComplete="name" defaultValue={person.name} />
        </Field>
        <Field label="E-mail address" error={errorOf("email")}>
          <Input
            name="email"
            type="email"
            autoComplete="email"
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        </Field>
        {isMoving && (
          <Field label="Current password" error={errorOf("current_password")} help="Another address needs it.">
            <Input name="current_password" type="password" autoComplete="current-password" />
          </Field>
        )}
        <div>
          <Button type="submit" look="primary" isBusy={isBusy}>
            Save profile
          </Button>
        </div>
      </form>
    </Section>
  );
}
