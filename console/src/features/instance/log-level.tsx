import { useState } from "react";
import { setLogLevel } from "#client/gen/operations/workspaces.ts";
import { call } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { textIn } from "../../forms/use-submit.ts";
import { clockTime } from "../../lib/format.ts";
import { oneOf } from "../../lib/search.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { Form, FormProblem, SubmitButton } from "../../ui/form.tsx";
import { showToast } from "../../ui/messages.ts";
import { useLogLevel } from "./queries.ts";

const LEVELS = ["fatal", "error", "warn", "info", "debug", "trace"] as const;
const ALL = "All processes";

/** Opens the form in which the log level of processes is set for some time. @param names of the processes */
export function LogLevelButton({ names }: { readonly names: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Log level
      </Button>
      {isOpen && <LogLevelDialog names={names} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Says which level is set, until it ends. */
export function SetLevel() {
  const { data: set } = useLogLevel();
  if (set?.until == null) return null;
  return (
    <span className="min-w-0 truncate">
      {set.process ?? ALL}: {set.level} until {clockTime(new Date(set.until))}
    </span>
  );
}

function LogLevelDialog({ names, onClose }: { readonly names: readonly string[]; readonly onClose: () => void }) {
  async function set(values: FormData): Promise<void> {
    const { level, process, until } = await call(setLogLevel)({
      level: oneOf(textIn(values, "level"), LEVELS) ?? "info",
      minutes: Number(textIn(values, "minutes")),
      process: names.find((name) => name === textIn(values, "process")) ?? null,
    });
    void queryClient.invalidateQueries({ queryKey: ["log-level"] });
    showToast(`${process ?? ALL}: ${level} until ${clockTime(new Date(until))}.`);
    onClose();
  }
  return (
    <Dialog
      title="Log level"
      description="Afterwards each process returns to its LOG_LEVEL."
      isOpen
      onClose={onClose}
      width="small"
    >
      <Form act={set}>
        <FormProblem />
        <SelectField name="level" label="Level" defaultValue="debug" options={LEVELS} />
        <TextField name="minutes" label="Minutes" inputMode="numeric" defaultValue="10" />
        <SelectField name="process" label="Process" options={[ALL, ...names]} />
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          <SubmitButton>Set level</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
