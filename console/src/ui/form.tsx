import { use } from "react";
import type { ComponentProps } from "react";
import { FormContext } from "../forms/form-context.ts";
import { useSubmit } from "../forms/use-submit.ts";
import { Button } from "./button.tsx";
import type { ButtonProps } from "./button.tsx";
import { FormError } from "./field.tsx";

/** What {@link Form} takes. */
export interface FormProps extends Omit<ComponentProps<"form">, "onSubmit"> {
  /** Sends the values, with that of the button that was pressed; what it throws is shown. */
  readonly act: (values: FormData) => Promise<void>;
  /** The record that it changes: each field begins with the value of its name. */
  readonly record?: object | undefined;
  /** Why the person may not use it. */
  readonly blockedBy?: string | undefined;
}

/** A form that the server validates. Each field shows the issues with it, and a {@link FormProblem} all others. */
export function Form({ act, record, blockedBy, className = "flex flex-col gap-4", ...form }: FormProps) {
  const { onSubmit, state } = useSubmit(act);
  return (
    <FormContext value={{ ...state, record, blockedBy }}>
      <form {...form} onSubmit={onSubmit} className={className} />
    </FormContext>
  );
}

/** What the server says of the form around that belongs to none of its fields. */
export function FormProblem({ className = "" }: { readonly className?: string }) {
  const error = use(FormContext)?.error;
  return error !== undefined && <FormError className={className}>{error}</FormError>;
}

/** The button that sends the form around it. */
export function SubmitButton(props: Omit<ButtonProps, "type">) {
  const { isBusy = false, blockedBy } = use(FormContext) ?? {};
  return <Button look="primary" type="submit" isBusy={isBusy} blockedBy={blockedBy} {...props} />;
}
