import { Field, Input, Select } from "../../ui/field.tsx";
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
  switch (rhythm.kind) {
    case "minutes":
      return (
        <NumberField
          label="Minutes"
          value={rhythm.every}
          min={1}
          max={59}
          error={error}
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
          error={error}
          onChange={(minute) => onChange({ ...rhythm, minute })}
        />
      );
    case "daily":
    case "weekdays":
      return <TimeField value={rhythm.time} error={error} onChange={(time) => onChange({ ...rhythm, time })} />;
    case "weekly":
      return (
        <div className="grid grid-cols-2 gap-2">
          <Field label="On">
            <Select value={rhythm.day} onChange={({ target }) => onChange({ ...rhythm, day: Number(target.value) })}>
              {DAYS.map((day, index) => (
                <option key={day} value={index}>
                  {day}
                </option>
              ))}
            </Select>
          </Field>
          <TimeField value={rhythm.time} error={error} onChange={(time) => onChange({ ...rhythm, time })} />
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
            error={undefined}
            onChange={(day) => onChange({ ...rhythm, day })}
          />
          <TimeField value={rhythm.time} error={error} onChange={(time) => onChange({ ...rhythm, time })} />
        </div>
      );
    case "cron":
      return (
        <Field
          label="Cron expression"
          error={error}
          help="Minute, hour, day, month, weekday; optionally preceded by seconds."
        >
          <Input
            required
            autoComplete="off"
            spellCheck={false}
            value={rhythm.cron}
            onChange={({ target }) => onChange({ kind: "cron", cron: target.value })}
          />
        </Field>
      );
  }
}

function TimeField({
  value,
  error,
  onChange,
}: {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (time: string) => void;
}) {
  return (
    <Field label="At" error={error}>
      <Input
        type="time"
        required
        value={value}
        onChange={({ target }) => target.value !== "" && onChange(target.value)}
      />
    </Field>
  );
}

function NumberField({
  label,
  error,
  onChange,
  ...input
}: {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly error: string | undefined;
  readonly onChange: (value: number) => void;
}) {
  return (
    <Field label={label} error={error}>
      <Input type="number" required {...input} onChange={({ target }) => onChange(Number(target.value))} />
    </Field>
  );
}
