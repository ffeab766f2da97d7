import { useDeferredValue, useState } from "react";
import { asProblem } from "../../api/problem.ts";
import { useDrafted } from "../../forms/form-draft.ts";
import { TextField } from "../../ui/field.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { NextTimes } from "./next-times.tsx";
import { usePreview } from "./queries.ts";
import { RecurrenceFields } from "./recurrence-fields.tsx";
import { RECURRENCE_LABELS, cronOf, cronLabel, defaultRecurrence, parseRecurrence } from "./recurrence.ts";
import type { Recurrence } from "./recurrence.ts";

const ZONES = Intl.supportedValuesOf("timeZone");

/** The times of a schedule, in plain words or as a cron expression, with a preview of the next ones. */
export function TimingFields({ cron: initial, zone: initialZone }: { readonly cron: string; readonly zone: string }) {
  const [typed, setTyped] = useDrafted("cron", initial);
  const [rhythm, setRecurrence] = useState<Recurrence>(() => parseRecurrence(typed));
  const [zone, setZone] = useDrafted("time_zone", initialZone);
  const cron = cronOf(rhythm);
  function setRhythm(next: Recurrence): void {
    setRecurrence(next);
    setTyped(cronOf(next));
  }
  const preview = usePreview(useDeferredValue(cron), useDeferredValue(zone));
  const problem = preview.error === null ? undefined : asProblem(preview.error);
  const previewError = (path: string) => problem?.details.find((issue) => issue.path === path)?.message;
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="sr-only">When</legend>
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <SelectField
          label="Repeats"
          value={rhythm.kind}
          onChange={({ target }) => {
            const kind = KINDS.find((each) => each === target.value);
            if (kind !== undefined) setRhythm(defaultRecurrence(kind, cron));
          }}
          options={RECURRENCE_LABELS}
        />
        <RecurrenceFields rhythm={rhythm} onChange={setRhythm} error={previewError("cron")} />
      </div>
      <TextField
        name="time_zone"
        label="Time zone"
        error={previewError("time_zone")}
        list="time-zones"
        required
        value={zone}
        onChange={({ target }) => setZone(target.value)}
      />
      <datalist id="time-zones">
        {ZONES.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
      <input type="hidden" name="cron" value={cron} />
      <section aria-label="Preview" className="box px-3 py-2">
        <p className="pb-1">
          <span className="font-medium">{cronLabel(cron)}</span>
          {rhythm.kind !== "cron" && <span className="text-ink-3"> · {cron}</span>}
        </p>
        {problem !== undefined ? (
          <p className="text-small text-failed">{problem.details.length === 0 ? problem.message : "No next times."}</p>
        ) : (
          preview.data !== undefined && <NextTimes times={preview.data} zone={isZone(zone) ? zone : "UTC"} />
        )}
      </section>
    </fieldset>
  );
}

const KINDS = ["minutes", "hourly", "daily", "weekdays", "weekly", "monthly", "cron"] as const;

/** While a zone is typed its name is none yet, and the times are those of the one before. */
function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
