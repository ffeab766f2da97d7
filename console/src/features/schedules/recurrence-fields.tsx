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
  const set = (change: object) => onChange({ ...rhythm, ...change });
  switch (rhythm.kind) {
    case "minutes":
      return (
        <NumberField label="Minutes" value={rhythm.every} min={1} {...issue} onChange={(every) => set({ every })} />
      );
    case "hourly":
      return (
        <NumberField
          label="At minute"
          value={rhythm.minute}
          min={0}
          {...issue}
          onChange={(minute) => set({ minute })}
        />
      );
    case "daily":
    case "weekdays":
      return <TimeField value={rhythm.time} {...issue} onChange={(time) => set({ time })} />;
    case "weekly":
      return (
        <div className="grid grid-cols-2 gap-2">
          <DayField value={rhythm.day} onChange={(day) => set({ day })} />
          <TimeField value={rhythm.time} {...issue} onChange={(time) => set({ time })} />
        </div>
      );
    case "monthly":
      return (
        <div className="grid grid-cols-2 gap-2">
          <NumberField label="On day" value={rhythm.day} min={1} max={31} onChange={(day) => set({ day })} />
          <TimeField value={rhythm.time} {...issue} onChange={(time) => set({ time })} />
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
          onChange={({ target }) => set({ cron: target.value })}
        />
      );
  }
}

function DayField({ value, onChange }: { readonly value: number; readonly onChange: (day: number) => void }) {
  return (
    <SelectField
      label="On"
      value={value}
      onChange={({ target }) => onChange(Number(target.value))}
      options={DAY_OPTIONS}
    />
  );
}

/** The days of a week by their numbers. */
const DAY_OPTIONS = Object.fromEntries(DAYS.map((day, index) => [String(index), day]));

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
  max = 59,
  onChange,
  ...field
}: Pick<FieldProps, "label" | "path" | "error"> & {
  readonly value: number;
  readonly min: number;
  readonly max?: number;
  readonly onChange: (value: number) => void;
}) {
  return (
    <TextField type="number" required max={max} {...field} onChange={({ target }) => onChange(Number(target.value))} />
  );
}
