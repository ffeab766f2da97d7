import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { changePassword } from "#client/gen/operations/accounts.ts";
import { call } from "../../api/client.ts";
import { textIn, useSubmit } from "../../forms/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Field, FormError, Input } from "../../ui/field.tsx";
import { Section } from "../../ui/section.tsx";
import { showToast } from "../../ui/messages.ts";

const FIELDS = ["current_password", "new_password"] as const;

/** Changes the person's password; their other sessions end with it. */
export function PasswordForm() {
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const { onSubmit, isBusy, errorOf, formError } = useSubmit(async (values) => {
    const body = {
      current_password: textIn(values, "current_password"),
      new_password: textIn(values, "new_password"),
    };
    await call(changePassword)(body);
    form.current?.reset();
    await client.invalidateQueries({ queryKey: ["sessions"] });
    showToast("Password changed. Your other sessions have ended.");
  });
  const error = formError(FIELDS);
  return (
    <Section title="Password">
      <form ref={form} onSubmit={onSubmit} className="flex flex-col gap-4 pt-4">
        {error !== undefined && <FormError>{error}</FormError>}
        <Field label="Current password" error={errorOf("current_password")}>
          <Input name="current_password" type="password" autoComplete="current-password" />
        </Field>
        <Field label="New password" error={errorOf("new_password")}>
          <Input name="new_password" type="password" autoComplete="new-password" />
        </Field>
        <div>
          <Button type="submit" isBusy={isBusy}>
            Change password
          </Button>
        </div>
      </form>
    </Section>
  );
}
