import { useState } from "react";
import { Field, Textarea } from "../../../ui/field.tsx";
import { isFields } from "./fields.ts";
import type { Part } from "./controls.tsx";
import { useIssue } from "./issues.tsx";

/** The whole config as JSON: for what has no control, and for copying from another team. */
export function JsonView({ part }: { readonly part: Part }) {
  const { fields, onChange, path, isReadOnly } = part;
  const [text, setText] = useState(() => JSON.stringify(fields, null, 2));
  const [error, setError] = useState<string>();
  const [known, setKnown] = useState(fields);
  // The config changed by itself: it was saved, or the changes were discarded.
  if (known !== fields) {
    setKnown(fields);
    if (JSON.stringify(known) !== JSON.stringify(fields)) {
      setText(JSON.stringify(fields, null, 2));
      setError(undefined);
    }
  }
  const issue = useIssue(path);

  function change(next: string): void {
    setText(next);
    try {
      const value: unknown = JSON.parse(next);
      if (!isFields(value)) return setError("The config is an object.");
      setError(undefined);
      setKnown(value);
      onChange(value);
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : "This is no JSON.");
    }
  }

  return (
    <Field label="Config as JSON" error={error ?? issue} help="Every field of the config. Errors name their path.">
      <Textarea
        dir="ltr"
        rows={20}
        spellCheck={false}
        readOnly={isReadOnly}
        className="max-h-[70vh]! font-mono text-mono"
        value={text}
        onChange={({ target }) => change(target.value)}
      />
    </Field>
  );
}
