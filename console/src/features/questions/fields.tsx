import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Checkbox, Field, Input, Select, Textarea } from "../../ui/field.tsx";
import { AnswerActions } from "./actions.tsx";
import type { AnswerControls } from "./answer-form.tsx";
import { visibleText } from "../../lib/visible-text.ts";

/** A field of a form that an agent asks for. */
interface FormField {
  readonly key: string;
  readonly label: string;
  readonly type: "text" | "number" | "email" | "textarea" | "select" | "toggle";
  readonly required?: boolean | undefined;
  readonly options?: readonly string[] | undefined;
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
  const [text, setText] = useState("");
  return (
    <>
      <Field label="Your answer" error={controls.errorOf("text")}>
        <Textarea value={text} placeholder={placeholder} onChange={({ target }) => setText(target.value)} />
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
  const [values, setValues] = useState<Record<string, unknown>>(() =>
    Object.fromEntries(fields.map((field) => [field.key, field.default ?? (field.type === "toggle" ? false : "")])),
  );
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "" && !Number.isNaN(value)));
  const isReady = fields.every(({ key, required }) => required !== true || key in given);
  return (
    <>
      {fields.map((field) => (
        <FormValue
          key={field.key}
          field={field}
          value={values[field.key]}
          error={controls.errorOf(`values.${field.key}`)}
          onChange={(value) => setValues({ ...values, [field.key]: value })}
        />
      ))}
      <SendAction controls={controls} onSend={() => controls.send({ values: given })} isReady={isReady} />
    </>
  );
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
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </Select>
      ) : type === "number" ? (
        <NumberInput {...common} value={value} onChange={onChange} />
      ) : (
        <Input {...common} type={type} dir="auto" value={text} onChange={({ target }) => onChange(target.value)} />
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
