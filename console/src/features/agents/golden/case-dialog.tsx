import { useQueryClient } from "@tanstack/react-query";
import { getGoldenCase, updateGoldenCase } from "#client/gen/operations/golden-runs.ts";
import { call } from "../../../api/client.ts";
import { textIn } from "../../../forms/use-submit.ts";
import type { Edited } from "../../../forms/use-edited.ts";
import { TextField } from "../../../ui/field.tsx";
import { TextareaField } from "../../../ui/fields.tsx";
import { showToast } from "../../../ui/messages.ts";
import { RecordDialog } from "../../../ui/record-dialog.tsx";
import { ChecksField, rowsIn } from "./checks-field.tsx";
import { checkFields, checkIn } from "./checks.ts";
import type { GoldenCase } from "./queries.ts";

type Editable = Pick<GoldenCase, "id" | "name" | "expected" | "checks">;

/** Changes what a golden case expects, and how it is checked. */
export default function CaseDialog({
  agentId,
  golden,
  onClose,
}: {
  readonly agentId: string;
  readonly golden: GoldenCase;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  async function save(values: FormData, { changesOf }: Edited<Editable>): Promise<void> {
    const body = {
      name: textIn(values, "name"),
      expected: textIn(values, "expected"),
      checks: rowsIn(values).map((row, place) => checkIn(values, row, place)),
    };
    await call(updateGoldenCase)({ id: golden.id }, await changesOf(body));
    await client.invalidateQueries({ queryKey: ["golden", agentId] });
    showToast("Case saved.");
  }
  return (
    <RecordDialog
      title={golden.name}
      description="After a change, earlier golden runs of this case no longer count for the gate."
      action="Save case"
      draft={`golden.case.${golden.id}`}
      record={editable(golden)}
      read={async ({ id }) => editable(await call(getGoldenCase)({ id }))}
      save={save}
      onSaved={onClose}
      onClose={onClose}
    >
      <TextField name="name" label="Name" />
      <TextareaField name="expected" label="Expected result" rows={4} />
      <ChecksField stored={golden.checks} />
    </RecordDialog>
  );
}

/** A case with the values of its fields in the form. */
function editable({ id, name, expected, checks }: Editable): Editable {
  const fields = checks.map((check, index) => checkFields(String(index), check));
  return Object.assign({}, ...fields, { id, name, expected, checks });
}
