import { useState } from "react";
import { labelled } from "#lib/text/form-option.ts";
import type { FormOption } from "#lib/text/form-option.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { Checkbox, Select, Textarea } from "../../ui/fields.tsx";
import { AnswerActions } from "./actions.tsx";
import type { AnswerControls } from "./answer-form.tsx";
import { visibleText } from "../../lib/visible-text.ts";

/** A field of a form that an agent asks for. */
export interface FormField {
  readonly key: string;
  readonly label: string;
  readonly type: "text" | "number" | "email" | "textarea" | "select" | "toggle";
  readonly required?: boolean | undefined;
  readonly options?: readonly FormOption[] | undefined;
  readonly placeholder?: string | undefined;
  readonly default?: string | number | boolean | undefined;
}

/** A text. */
export function TextControls({
  placeholder,
  controls,
}: {
  readonly placeholder: string | undefined;
  readonly controls: AnswerControls;
}) {
  const [text, setText] = useState(controls.draft.text ?? "");
  function write(next: string): void {
    setText(next);
    controls.keep(next === "" ? undefined : { text: next });
  }
  return (
    <>
      <Field label="Your answer" error={controls.errorOf("text")}>
        <Textarea value={text} placeholder={placeholder} onChange={({ target }) => write(target.value)} />
      </Field>
      <SendAction controls={controls} onSend={() => controls.send({ text })} isReady={text.trim() !== ""} />
    </>
  );
}

/** Several values. Empty ones that are not required are left out. */
export function FormControls({
  fields,
  controls,
}: {
  readonly fields: readonly FormField[];
  readonly controls: AnswerControls;
}) {
  const initial = controls.draft.values;
  const [given, setGiven] = useState(() => givenValues(firstValues(fields, initial)));
  function change(values: Record<string, unknown>): void {
    setGiven(values);
    controls.keep({ values });
  }
  const isReady = fields.every(({ key, required }) => required !== true || key in given);
  return (
    <>
      <FormValues fields={fields} initial={initial} onChange={change} errorOf={controls.errorOf} />
      <SendAction controls={controls} onSend={() => controls.send({ values: given })} isReady={isReady} />
    </>
  );
}

/** The fields of a form. Reports the values that are given: empty ones are left out. */
export function FormValues({
  fields,
  initial,
  onChange,
  errorOf,
}: {
  readonly fields: readonly FormField[];
  /** Instead of the fields' defaults. */
  readonly initial?: Readonly<Record<string, unknown>> | undefined;
  readonly onChange: (given: Record<string, unknown>) => void;
  readonly errorOf: (path: string) => string | undefined;
}) {
  const [values, setValues] = useState(() => firstValues(fields, initial));
  function change(key: string, value: unknown): void {
    const next = { ...values, [key]: value };
    setValues(next);
    onChange(givenValues(next));
  }
  return (
    <>
      {fields.map((field) => (
        <FormValue
          key={field.key}
          field={field}
          value={values[field.key]}
          error={errorOf(`values.${field.key}`)}
          onChange={(value) => change(field.key, value)}
        />
      ))}
    </>
  );
}

function firstValues(
  fields: readonly FormField[],
  initial?: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    fields.map(({ key, type, default: usual }) => {
      const first = initial === undefined ? usual : initial[key];
      return [key, first ?? (type === "toggle" ? false : "")];
    }),
  );
}

function givenValues(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "" && !Number.isNaN(value)));
}

function SendAction({
  controls,
  onSend,
  isReady,
}: {
  readonly controls: AnswerControls;
  readonly onSend: () => void;
  readonly isReady: boolean;
}) {
  return (
    <AnswerActions>
      <Button
        look="primary"
        type="submit"
        isBusy={controls.isBusy}
        blockedBy={controls.blockedBy}
        disabled={!isReady}
        onClick={onSend}
      >
        Send answer
      </Button>
    </AnswerActions>
  );
}

interface FormValueProps {
  readonly field: FormField;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
}

function FormValue({ field, value, error, onChange }: FormValueProps) {
  const { label, type, required = false, options = [], placeholder } = field;
  if (type === "toggle") {
    return (
      <Checkbox
        label={visibleText(label)}
        checked={value === true}
        onChange={({ target }) => onChange(target.checked)}
      />
    );
  }
  const text = typeof value === "string" || typeof value === "number" ? value : "";
  const common = { required, placeholder };
  return (
    <Field label={visibleText(label)} error={error} {...(!required && { aside: "optional" })}>
      {type === "textarea" ? (
        <Textarea {...common} value={text} onChange={({ target }) => onChange(target.value)} />
      ) : type === "select" ? (
        <Select required={required} value={text} onChange={({ target }) => onChange(target.value)}>
          <option value="">Choose</option>
          {options.map(labelled).map(({ value: each, label: shown }) => (
            <option key={each} value={each}>
              {visibleText(shown)}
            </option>
          ))}
        </Select>
      ) : type === "number" ? (
        <NumberInput {...common} value={value} onChange={onChange} />
      ) : (
        <Input {...common} type={type} value={text} onChange={({ target }) => onChange(target.value)} />
      )}
    </Field>
  );
}

function NumberInput({
  value,
  onChange,
  ...rest
}: Pick<FormValueProps, "value" | "onChange"> & {
  readonly required: boolean;
  readonly placeholder: string | undefined;
}) {
  return (
    <Input
      {...rest}
      type="number"
      step="any"
      value={typeof value === "number" && !Number.isNaN(value) ? value : ""}
      onChange={({ target }) => onChange(target.value === "" ? "" : target.valueAsNumber)}
    />
  );
}
