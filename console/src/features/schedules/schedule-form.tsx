import { useQueryClient } from "@tanstack/react-query";
import { createSchedule, getSchedule, updateSchedule } from "#client/gen/operations/schedules.ts";
import { call } from "../../api/client.ts";
import { textIn } from "../../forms/use-submit.ts";
import { TextField } from "../../ui/field.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { RecordDialog } from "../../ui/record-dialog.tsx";
import type { Edited } from "../../forms/use-edited.ts";
import { OWN_ZONE } from "./next-times.tsx";
import type { Schedule } from "./records.ts";
import { TemplateFields, templateIn } from "./template-fields.tsx";
import { TimingFields } from "./timing-fields.tsx";

const FIRST_CRON = "0 9 * * 1-5";
const MISSED = {
  once: "Run once afterwards",
  skip: "Skip them",
  all: "Run each afterwards, up to 100",
} as const;
const OVERLAP = { allow: "Start another one", skip: "Skip this time" } as const;

/** Makes a schedule, or changes one. */
export function ScheduleForm({
  schedule,
  onSaved,
  onClose,
}: {
  readonly schedule?: Schedule | undefined;
  /** Gets its id. */
  readonly onSaved: (id: string) => void;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  async function save(values: FormData, { opened, changesOf }: Edited<Schedule>): Promise<string> {
    const body = bodyOf(values);
    const { id } = await (opened === undefined
      ? call(createSchedule)(body)
      : call(updateSchedule)({ id: opened.id }, await changesOf(body)));
    await client.invalidateQueries({ queryKey: ["schedules"] });
    return id;
  }
  return (
    <RecordDialog
      title={schedule === undefined ? "New schedule" : `Edit ${schedule.name}`}
      action={schedule === undefined ? "Create schedule" : "Save schedule"}
      draft={`schedule.${schedule?.id ?? "new"}`}
      record={schedule}
      read={({ id }) => call(getSchedule)({ id })}
      save={save}
      onSaved={onSaved}
      onClose={onClose}
    >
      <TextField name="name" label="Name" required autoFocus maxLength={100} placeholder="Morning summary" />
      <TimingFields cron={schedule?.cron ?? FIRST_CRON} zone={schedule?.time_zone ?? OWN_ZONE} />
      <TemplateFields template={schedule} />
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <SelectField
          name="missed"
          label="Missed times"
          help="No process was there."
          defaultValue="once"
          options={MISSED}
        />
        <SelectField name="overlap" label="If the last task is still running" defaultValue="allow" options={OVERLAP} />
      </div>
    </RecordDialog>
  );
}

function bodyOf(values: FormData) {
  const missed = (["once", "skip", "all"] as const).find((each) => each === textIn(values, "missed")) ?? "once";
  const overlap = (["allow", "skip"] as const).find((each) => each === textIn(values, "overlap")) ?? "allow";
  return {
    name: textIn(values, "name"),
    cron: textIn(values, "cron"),
    time_zone: textIn(values, "time_zone"),
    missed,
    overlap,
    ...templateIn(values),
  };
}
