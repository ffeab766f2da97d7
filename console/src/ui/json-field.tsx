import { useRef, useState } from "react";
import type { ReactNode } from "react";
import { useDrafted } from "../forms/form-draft.ts";
import { readJsonObject } from "../forms/json-object.ts";
import { useSettled } from "../lib/use-settled.ts";
import { Button } from "./button.tsx";
import { Field } from "./field.tsx";
import { Textarea } from "./fields.tsx";

const PAUSE_MS = 600;

/** What {@link JsonField} takes. */
interface JsonFieldProps {
  readonly label: string;
  readonly aside?: ReactNode;
  readonly help?: ReactNode;
  /** Where the server names its issues with it, if not by its name. */
  readonly path?: string;
  /** An issue that the form does not know. */
  readonly error?: string | undefined;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly isReadOnly?: boolean;
  readonly name?: string;
  readonly rows?: number;
  readonly placeholder?: string;
  readonly className?: string;
}

/**
 * A JSON object as text. Below it are the line and the column of the caret. A text that is no JSON says where and why,
 * and a button goes there; a valid one can be formatted.
 */
export function JsonField({
  label,
  aside,
  help,
  path,
  error,
  text,
  onText,
  isReadOnly = false,
  ...rest
}: JsonFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  // Half a word is no error yet.
  const settled = useSettled(text, PAUSE_MS);
  const reading = readJsonObject(settled);
  const fault = settled === text ? reading.fault : undefined;
  const index = fault?.index;

  function goTo(at: number): void {
    area.current?.focus();
    area.current?.setSelectionRange(at, Math.min(at + 1, text.length));
  }

  return (
    <div className="flex flex-col gap-1">
      <Field label={label} aside={aside} help={help} error={fault?.message ?? error} path={path ?? rest.name}>
        <Textarea
          {...rest}
          ref={area}
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          readOnly={isReadOnly}
          value={text}
          onChange={({ target }) => onText(target.value)}
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
          className={`font-mono text-mono ${rest.className ?? ""}`}
        />
      </Field>
      {!isReadOnly && (
        <div className="flex min-h-7 flex-wrap items-center justify-end gap-2 touch:min-h-11">
          <span className="me-auto text-small text-ink-3">{placeOf(text, caret)}</span>
          {index !== undefined && (
            <Button size="small" onClick={() => goTo(index)}>
              Go to error
            </Button>
          )}
          {reading.fault === undefined && settled.trim() !== "" && (
            <Button size="small" look="quiet" onClick={() => onText(JSON.stringify(reading.value, null, 2))}>
              Format
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** A {@link JsonField} in a form that is read as a whole. */
export function DraftedJsonField({
  initial,
  ...props
}: Omit<JsonFieldProps, "text" | "onText"> & { readonly name: string; readonly initial: string }) {
  const [text, setText] = useDrafted(props.name, initial);
  return <JsonField {...props} text={text} onText={setText} />;
}

function placeOf(text: string, caret: number): string {
  const lines = text.slice(0, caret).split("\n");
  return `Line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
}
