import { useEffect, useState } from "react";
import { Field, Textarea } from "../../../ui/field.tsx";
import { isFields } from "./fields.ts";
import type { Part } from "./controls.tsx";
import { useIssue } from "./issues.tsx";

interface JsonViewProps {
  readonly part: Part;
  /** What is wrong with the text: while it is, the config keeps its last valid form and cannot be saved. */
  readonly fault: string | undefined;
  readonly onFault: (fault: string | undefined) => void;
}

/** The whole config as JSON: for what has no control, and for copying from another team. */
export function JsonView({ part, fault, onFault }: JsonViewProps) {
  const { fields, onChange, path, isReadOnly } = part;
  const [text, setText] = useState(() => JSON.stringify(fields, null, 2));
  const [known, setKnown] = useState(fields);
  // The config changed elsewhere: it was saved, or the changes were discarded.
  if (known !== fields) {
    setKnown(fields);
    if (JSON.stringify(known) !== JSON.stringify(fields)) {
      setText(JSON.stringify(fields, null, 2));
    }
  }
  const issue = useIssue(path);
  // Who leaves the view leaves an invalid text behind.
  useEffect(() => () => onFault(undefined), [onFault]);

  function change(next: string): void {
    setText(next);
    try {
      const value: unknown = JSON.parse(next);
      if (!isFields(value)) return onFault("The config is an object.");
      onFault(undefined);
      setKnown(value);
      onChange(value);
    } catch (failure) {
      onFault(failure instanceof Error ? failure.message : "This is no JSON.");
    }
  }

  return (
    <Field label="Config as JSON" error={fault ?? issue} help="Every field of the config. Errors name their path.">
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
