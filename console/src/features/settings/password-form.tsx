import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { changePassword } from "#client/gen/operations/accounts.ts";
import { call } from "../../api/client.ts";
import { textIn } from "../../forms/use-submit.ts";
import { Form, FormProblem, SubmitButton } from "../../ui/form.tsx";
import { TextField } from "../../ui/field.tsx";
import { Section } from "../../ui/section.tsx";
import { showToast } from "../../ui/messages.ts";

/** Changes the person's password; their other sessions end with it. */
export function PasswordForm() {
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  async function act(values: FormData): Promise<void> {
    const body = {
      current_password: textIn(values, "current_password"),
      new_password: textIn(values, "new_password"),
    };
    await call(changePassword)(body);
    form.current?.reset();
    await client.invalidateQueries({ queryKey: ["sessions"] });
    showToast("Password changed. Your other sessions have ended.");
  }
  return (
    <Section title="Password">
      <Form ref={form} act={act} className="flex flex-col gap-4 pt-4">
        <FormProblem />
        <TextField name="current_password" label="Current password" type="password" autoComplete="current-password" />
        <TextField name="new_password" label="New password" type="password" autoComplete="new-password" />
        <div>
          <SubmitButton look="plain">Change password</SubmitButton>
        </div>
      </Form>
    </Section>
  );
}
