import { useEffect, useState } from "react";
import { readJsonObject } from "../../../forms/json-object.ts";
import { JsonField } from "../../../ui/json-field.tsx";
import type { Part } from "./controls.tsx";

interface JsonViewProps {
  readonly part: Part;
  /** Gets what is wrong with the text: while it is, the config keeps its last valid form and cannot be saved. */
  readonly onFault: (fault: string | undefined) => void;
}

/** The whole config as JSON: for what has no control, and for copying from another team. */
export function JsonView({ part, onFault }: JsonViewProps) {
  const { fields, onChange, isReadOnly } = part;
  const [text, setText] = useState(() => JSON.stringify(fields, null, 2));
  const [known, setKnown] = useState(fields);
  // The config changed elsewhere: it was saved, or the changes were discarded.
  if (known !== fields) {
    setKnown(fields);
    if (JSON.stringify(known) !== JSON.stringify(fields)) {
      setText(JSON.stringify(fields, null, 2));
    }
  }
  // Who leaves the view leaves an invalid text behind.
  useEffect(() => () => onFault(undefined), [onFault]);

  function change(next: string): void {
    setText(next);
    const reading = readJsonObject(next);
    onFault(reading.fault?.message);
    if (reading.fault !== undefined) return;
    setKnown(reading.value);
    onChange(reading.value);
  }

  return (
    <JsonField
      label="Config as JSON"
      help="Every field of the config. Errors name their path."
      text={text}
      onText={change}
      isReadOnly={isReadOnly}
      rows={20}
      className="max-h-[70vh]!"
    />
  );
}
