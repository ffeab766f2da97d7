import { useState } from "react";
import { Checkbox, Field, Input, Textarea } from "../../ui/field.tsx";

/** Values by name, each to be changed in its own kind; what differs from the original is marked. */
export function DataEditor({
  original,
  values,
  onChange,
}: {
  readonly original: Readonly<Record<string, unknown>>;
  readonly values: Readonly<Record<string, unknown>>;
  readonly onChange: (key: string, value: unknown) => void;
}) {
  return (
    <div className="flex flex-col gap-4">
      {Object.entries(original).map(([key, before]) => (
        <Value key={key} name={key} before={before} value={values[key]} onChange={(value) => onChange(key, value)} />
      ))}
    </div>
  );
}

interface ValueProps {
  readonly name: string;
  readonly before: unknown;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function Value({ name, before, value, onChange }: ValueProps) {
  const [fault, setFault] = useState<string>();
  const isChanged = !Object.is(before, value);
  const help = isChanged ? `Was: ${typeof before === "string" ? before : JSON.stringify(before)}` : undefined;
  const aside = isChanged ? <strong className="font-semibold text-waiting">Changed</strong> : undefined;
  if (typeof value === "boolean") {
    return <Checkbox label={name} checked={value} onChange={({ target }) => onChange(target.checked)} />;
  }
  return (
    <Field label={name} aside={aside} help={help} error={fault}>
      {typeof value === "string" && value.length <= 80 && !value.includes("\n") ? (
        <Input value={value} onChange={({ target }) => onChange(target.value)} />
      ) : typeof value === "string" ? (
        <Textarea value={value} onChange={({ target }) => onChange(target.value)} />
      ) : typeof value === "number" ? (
        <Input type="number" step="any" value={value} onChange={({ target }) => onChange(target.valueAsNumber)} />
      ) : (
        <JsonValue value={value} onChange={onChange} onFault={setFault} />
      )}
    </Field>
  );
}

/** Lists and objects as JSON; an unfinished text counts once it can be read. */
function JsonValue({
  value,
  onChange,
  onFault,
}: Pick<ValueProps, "value" | "onChange"> & { readonly onFault: (fault: string | undefined) => void }) {
  const [text, setText] = useState(() => JSON.stringify(value, undefined, 2));
  return (
    <Textarea
      dir="ltr"
      spellCheck={false}
      className="font-mono text-mono"
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        const read = readJson(target.value);
        onFault(read === undefined ? "Not valid JSON. The answer keeps the last valid value." : undefined);
        if (read !== undefined) onChange(read.value);
      }}
    />
  );
}

function readJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
