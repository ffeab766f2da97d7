import { useState } from "react";
import { readDraft, storeDraft } from "../../forms/drafts.ts";
import { Field, Input } from "../../ui/field.tsx";
import { Checkbox, Textarea } from "../../ui/fields.tsx";

/** Values by name, each to be changed in its own kind; what differs from the original is marked. */
export function DataEditor({
  original,
  values,
  onChange,
  draftName,
}: {
  readonly original: Readonly<Record<string, unknown>>;
  readonly values: Readonly<Record<string, unknown>>;
  readonly onChange: (key: string, value: unknown) => void;
  /** The name of the draft of the answer: a text that is not JSON yet is kept below it. */
  readonly draftName: string;
}) {
  return (
    <div className="flex flex-col gap-4">
      {Object.entries(original).map(([key, before]) => (
        <Value
          key={key}
          name={key}
          before={before}
          value={values[key]}
          onChange={(value) => onChange(key, value)}
          textName={`${draftName}.json.${key}`}
        />
      ))}
    </div>
  );
}

interface ValueProps {
  readonly name: string;
  readonly before: unknown;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** The name of the draft of a text that is not JSON yet. */
  readonly textName: string;
}

const NOT_JSON = "Not valid JSON. The answer keeps the last valid value.";

function Value({ name, before, value, onChange, textName }: ValueProps) {
  const [fault, setFault] = useState(readDraft(textName, "") === "" ? undefined : NOT_JSON);
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
        <JsonValue value={value} onChange={onChange} onFault={setFault} textName={textName} />
      )}
    </Field>
  );
}

/** Lists and objects as JSON; an unfinished text counts once it can be read. */
function JsonValue({
  value,
  onChange,
  onFault,
  textName,
}: Pick<ValueProps, "value" | "onChange" | "textName"> & { readonly onFault: (fault: string | undefined) => void }) {
  const [text, setText] = useState(() => readDraft(textName, JSON.stringify(value, undefined, 2)));
  return (
    <Textarea
      dir="ltr"
      spellCheck={false}
      className="font-mono text-mono"
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        const read = readJson(target.value);
        onFault(read === undefined ? NOT_JSON : undefined);
        storeDraft(textName, read === undefined ? target.value : undefined);
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
