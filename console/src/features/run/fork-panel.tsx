import { useId } from "react";
import { useBlockedBy } from "../../api/use-session.ts";
import { capitalized, cost } from "../../lib/format.ts";
import { textIn } from "../../forms/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { DialogActions } from "../../ui/dialog.tsx";
import { SelectField, TextareaField } from "../../ui/fields.tsx";
import { SubmitButton } from "../../ui/form.tsx";
import { RecordForm } from "../../ui/record-form.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { useModels } from "../models/queries.ts";
import { useFork } from "./fork.ts";
import { UNIT_LABELS, forkPrice } from "./model/fork-point.ts";
import type { ForkPoint } from "./model/fork-point.ts";
import type { RunHead, StepRow } from "../records/run-head.ts";

/** Prepares a fork from a step: what changes, and what it will cost. What was typed stays until it is sent. */
export function ForkPanel({
  head,
  rows,
  point,
  onClose,
}: {
  readonly head: RunHead;
  readonly rows: readonly StepRow[];
  readonly point: ForkPoint;
  readonly onClose: () => void;
}) {
  const { mutateAsync: fork } = useFork(head);
  const blockedBy = useBlockedBy("member");
  const price = useId();
  async function save(values: FormData): Promise<void> {
    const [prompt, model, answer] = ["prompt", "model", "answer"].map((name) => textIn(values, name).trim());
    const changes = { ...(prompt && { prompt }), ...(model && { model }), ...(answer && { answer }) };
    await fork({ from_step: point.step, ...(Object.keys(changes).length > 0 && { changes }) });
  }
  return (
    <Sheet
      title={`Fork from ${UNIT_LABELS[point.unit].one} ${point.step + 1}`}
      description="A new run begins here with your changes. This one stays as it is."
      onClose={onClose}
    >
      <RecordForm
        draft={`fork.${head.id}.${head.attempt}.${point.step}`}
        save={save}
        blockedBy={blockedBy}
        aria-describedby={price}
        className="flex flex-col gap-5"
        actions={
          <DialogActions>
            <Button onClick={onClose}>Close</Button>
            <SubmitButton>Fork run</SubmitButton>
          </DialogActions>
        }
      >
        <Fields point={point} />
        <Price id={price} rows={rows} point={point} />
      </RecordForm>
    </Sheet>
  );
}

function Fields({ point }: { readonly point: ForkPoint }) {
  const { data: catalogue } = useModels();
  return (
    <>
      <TextareaField
        name="prompt"
        label={point.unit === "step" ? "Instructions of this step" : "Add a message at this point"}
        aside="optional"
        path="changes.prompt"
        help={
          point.unit === "step"
            ? "They replace those of the pipeline, in this run only."
            : `Added to the conversation before the ${UNIT_LABELS[point.unit].one}.`
        }
        autoFocus
      />
      <SelectField
        key={catalogue === undefined ? "" : "all"}
        name="model"
        label="Model"
        aside="optional"
        path="changes.model"
        defaultValue=""
      >
        <option value="">As before</option>
        {catalogue?.models.map(({ id, usable }) => (
          <option key={id} value={id} disabled={!usable}>
            {usable ? id : `${id} (no key)`}
          </option>
        ))}
      </SelectField>
      <TextareaField
        name="answer"
        label="Replacement output"
        aside="optional"
        path="changes.answer"
        help={`${
          point.unit === "call"
            ? "The call is not made; the run ends with this text."
            : "The step is skipped; the run continues with this text."
        } Not together with the fields above.`}
      />
    </>
  );
}

/** "Steps 1–3 are reused at $0. Steps 4–6 run again; they cost $0.12 last time." */
function Price({
  id,
  rows,
  point,
}: {
  readonly id: string;
  readonly rows: readonly StepRow[];
  readonly point: ForkPoint;
}) {
  const { reused, again, againUsd } = forkPrice(rows, point);
  const { one, many } = UNIT_LABELS[point.unit];
  const range = (from: number, length: number) =>
    capitalized(length === 1 ? `${one} ${from + 1}` : `${many} ${from + 1}–${from + length}`);
  return (
    <p id={id} className="note bg-accent-soft">
      {reused === 0
        ? "Nothing is reused. "
        : `${range(point.step - reused, reused)} ${reused === 1 ? "is" : "are"} reused at $0. `}
      {`${again <= 1 ? range(point.step, 1) : range(point.step, again)} ${again <= 1 ? "runs" : "run"} again; ${
        again <= 1 ? "it" : "they"
      } cost ${cost(againUsd)} last time.`}
    </p>
  );
}
