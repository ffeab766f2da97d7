import { TextField } from "../../ui/field.tsx";

const MIN_PASSWORD = 8;

/** A password that is set for the first time. */
export function NewPasswordField() {
  return (
    <TextField
      name="password"
      label="Password"
      help={`At least ${MIN_PASSWORD} characters.`}
      type="password"
      autoComplete="new-password"
      required
      minLength={MIN_PASSWORD}
      maxLength={200}
    />
  );
}

/** The name that others see. */
export function NameField() {
  return (
    <TextField
      name="name"
      label="Your name"
      aside="optional"
      help="Shown to other members, next to what you do."
      autoComplete="name"
      maxLength={100}
    />
  );
}
