import type { FieldProps } from "../../ui/field.tsx";
import { TextField } from "../../ui/field.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { DAYS } from "./recurrence.ts";
import type { Recurrence } from "./recurrence.ts";

/** What a rhythm leaves open: a minute, a time, a day, or the whole expression. */
export function RecurrenceFields({
  rhythm,
  onChange,
  error,
}: {
  readonly rhythm: Recurrence;
  readonly onChange: (rhythm: Recurrence) => void;
  readonly error: string | undefined;
}) {
  const issue = { path: "cron", error };
  switch (rhythm.kind) {
    case "minutes":
      return (
        <NumberField
          label="Minutes"
          value={rhythm.every}
          min={1}
          max={59}
          {...issue}
          onChange={(every) => onChange({ ...rhythm, every })}
        />
      );
    case "hourly":
      return (
        <NumberField
          label="At minute"
          value={rhythm.minute}
          min={0}
          max={59}
          {...issue}
          onChange={(minute) => onChange({ ...rhythm, minute })}
        />
      );
    case "daily":
    case "weekdays":
      return <TimeField value={rhythm.time} {...issue} onChange={(time) => onChange({ ...rhythm, time })} />;
    case "weekly":
      return (
        <div className="grid grid-cols-2 gap-2">
          <SelectField
            label="On"
            value={rhythm.day}
            onChange={({ target }) => onChange({ ...rhythm, day: Number(target.value) })}
          >
            {DAYS.map((day, index) => (
              <option key={day} value={index}>
                {day}
              </option>
            ))}
          </SelectField>
          <TimeField value={rhythm.time} {...issue} onChange={(time) => onChange({ ...rhythm, time })} />
        </div>
      );
    case "monthly":
      return (
        <div className="grid grid-cols-2 gap-2">
          <NumberField
            label="On day"
            value={rhythm.day}
            min={1}
            max={31}
            onChange={(day) => onChange({ ...rhythm, day })}
          />
          <TimeField value={rhythm.time} {...issue} onChange={(time) => onChange({ ...rhythm, time })} />
        </div>
      );
    case "cron":
      return (
        <TextField
          label="Cron expression"
          {...issue}
          help="Minute, hour, day, month, weekday; optionally preceded by seconds."
          required
          spellCheck={false}
          value={rhythm.cron}
          onChange={({ target }) => onChange({ kind: "cron", cron: target.value })}
        />
      );
  }
}

function TimeField({
  onChange,
  ...field
}: Pick<FieldProps, "path" | "error"> & { readonly value: string; readonly onChange: (time: string) => void }) {
  return (
    <TextField
      label="At"
      type="time"
      required
      {...field}
      onChange={({ target }) => target.value !== "" && onChange(target.value)}
    />
  );
}

function NumberField({
  onChange,
  ...field
}: Pick<FieldProps, "label" | "path" | "error"> & {
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly onChange: (value: number) => void;
}) {
  return <TextField type="number" required {...field} onChange={({ target }) => onChange(Number(target.value))} />;
}
