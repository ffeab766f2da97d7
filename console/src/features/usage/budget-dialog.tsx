import { useQueryClient } from "@tanstack/react-query";
import { createBudget, deleteBudget, getBudget, updateBudget } from "#client/gen/operations/budgets.ts";
import { call } from "../../api/client.ts";
import type { Edited } from "../../forms/use-edited.ts";
import { oneOf } from "../../lib/search.ts";
import { textIn } from "../../forms/use-submit.ts";
import { TextField } from "../../ui/field.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { showToast, undoWith } from "../../ui/messages.ts";
import { RecordDialog } from "../../ui/record-dialog.tsx";
import { readPicked } from "../pickers/records.ts";
import { budgetName } from "./budget-list.tsx";
import { BudgetTarget } from "./budget-target.tsx";
import type { Budget } from "./queries.ts";

const SCOPES = ["workspace", "agent", "team"] as const;
const PERIODS = ["day", "month", "total", "run"] as const;
const PERIOD_LABELS = { day: "Per day", month: "Per month", total: "In total", run: "Per run" } as const;
const BREACHES = { stop: "End the run", ask: "Ask a person whether to continue" } as const;

/** Makes a budget, or changes or deletes one. */
export function BudgetDialog({ budget, onClose }: { readonly budget?: Budget; readonly onClose: () => void }) {
  const client = useQueryClient();
  const changed = () => client.invalidateQueries({ queryKey: ["budgets"] });
  async function undo({ id, max_usd, max_tokens, on_breach }: Budget): Promise<void> {
    await change(id, { max_usd, max_tokens, on_breach });
    await changed();
  }
  async function save(values: FormData, { opened, changesOf }: Edited<Budget>): Promise<void> {
    if (opened === undefined) await call(createBudget)(bodyOf(values));
    else await change(opened.id, await changesOf(capsOf(values)));
    await changed();
    showToast("Budget saved. It applies from the next model call.", budget && undoWith(() => undo(budget)));
  }
  return (
    <RecordDialog
      title={budget === undefined ? "New budget" : budgetName(budget)}
      action="Save budget"
      draft={`budget.${budget?.id ?? "new"}`}
      record={budget}
      read={({ id }) => call(getBudget)({ id })}
      save={save}
      onSaved={onClose}
      onClose={onClose}
      removal={
        budget && {
          title: `Delete the budget "${budgetName(budget)}"?`,
          action: "Delete budget",
          effect: "What it has counted is deleted too. Runs that wait for this budget continue; usage stays on record.",
          remove: () => call(deleteBudget)({ id: budget.id }).then(changed),
        }
      }
    >
      {budget === undefined && (
        <>
          <BudgetTarget scopes={SCOPES} />
          <SelectField
            name="period"
            label="Period"
            help="Days and months are counted in UTC."
            defaultValue="day"
            options={PERIOD_LABELS}
          />
        </>
      )}
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <TextField name="max_usd" label="Limit in USD" aside="or in tokens" inputMode="decimal" placeholder="20" />
        <TextField name="max_tokens" label="Limit in tokens" aside="optional" inputMode="numeric" />
      </div>
      <SelectField
        name="on_breach"
        label="When the next call could exceed the limit"
        help="The highest possible cost of a call is reserved before the call is made."
        defaultValue="stop"
        options={BREACHES}
      />
    </RecordDialog>
  );
}

async function change(id: string, body: Partial<Pick<Budget, "max_usd" | "max_tokens" | "on_breach">>): Promise<void> {
  await call(updateBudget)({ id }, body);
}

function bodyOf(values: FormData) {
  const scope = oneOf(textIn(values, "scope"), SCOPES) ?? "workspace";
  return {
    scope,
    ...(scope !== "workspace" && { target_id: readPicked(textIn(values, "target"))?.id ?? "" }),
    period: oneOf(textIn(values, "period"), PERIODS) ?? "day",
    ...capsOf(values),
  };
}

function capsOf(values: FormData) {
  return {
    max_usd: numberIn(values, "max_usd"),
    max_tokens: numberIn(values, "max_tokens"),
    on_breach: textIn(values, "on_breach") === "ask" ? ("ask" as const) : ("stop" as const),
  };
}

/** What is not a number is sent as -1, which the server rejects at the field. */
function numberIn(values: FormData, name: string): number | null {
  const text = textIn(values, name).trim().replace(",", ".");
  return text === "" ? null : Number.isNaN(Number(text)) ? -1 : Number(text);
}
