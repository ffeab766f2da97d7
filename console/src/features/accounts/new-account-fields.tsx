import { Field, Input } from "../../ui/field.tsx";

const MIN_PASSWORD = 8;

/** A password that is set for the first time. */
export function NewPasswordField({ error }: { readonly error: string | undefined }) {
  return (
    <Field label="Password" help={`At least ${MIN_PASSWORD} characters.`} error={error}>
      <Input
        name="password"
        type="password"
        autoComplete="new-password"
        required
        minLength={MIN_PASSWORD}
        maxLength={200}
      />
    </Field>
  );
}

/** The name that others see. */
export function NameField({ error }: { readonly error: string | undefined }) {
  return (
    <Field label="Your name" aside="optional" help="Shown to other members, next to what you do." error={error}>
      <Input name="name" autoComplete="name" maxLength={100} />
    </Field>
  );
}
