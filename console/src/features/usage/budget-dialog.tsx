import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createBudget, deleteBudget, getBudget, updateBudget } from "#client/gen/operations/budgets.ts";
import { call } from "../../api/client.ts";
import type { Edited } from "../../forms/use-edited.ts";
import { oneOf } from "../../lib/search.ts";
import { textIn } from "../../forms/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Field, Input, Select } from "../../ui/field.tsx";
import { showToast, undoWith } from "../../ui/messages.ts";
import { RecordDialog } from "../../ui/record-dialog.tsx";
import { readPicked } from "../pickers/records.ts";
import { budgetName } from "./budget-list.tsx";
import { BudgetTarget } from "./budget-target.tsx";
import type { Budget } from "./queries.ts";

const LIMITS = ["max_usd", "max_tokens", "on_breach"] as const;
const FIELDS = ["scope", "target_id", "period", ...LIMITS] as const;
const SCOPES = ["workspace", "agent", "team"] as const;
const PERIODS = ["day", "month", "total", "run"] as const;
const PERIOD_LABELS = { day: "Per day", month: "Per month", total: "In total", run: "Per run" } as const;
const BREACHES = { stop: "End the run", ask: "Ask a person whether to continue" } as const;

/** Makes a budget, or changes or deletes one. */
export function BudgetDialog({ budget, onClose }: { readonly budget?: Budget; readonly onClose: () => void }) {
  const client = useQueryClient();
  const [isDeleting, setDeleting] = useState(false);
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
  if (isDeleting && budget !== undefined) {
    return (
      <Confirm
        title={`Delete the budget "${budgetName(budget)}"?`}
        action="Delete budget"
        onClose={onClose}
        onConfirm={async () => {
          await call(deleteBudget)({ id: budget.id });
          await changed();
        }}
      >
        <p>What it has counted is deleted too. Runs that wait for this budget continue; usage stays on record.</p>
      </Confirm>
    );
  }
  return (
    <RecordDialog
      title={budget === undefined ? "New budget" : budgetName(budget)}
      action="Save budget"
      draft={`budget.${budget?.id ?? "new"}`}
      record={budget}
      read={({ id }) => call(getBudget)({ id })}
      fields={FIELDS}
      shown={LIMITS}
      save={save}
      onSaved={onClose}
      onClose={onClose}
      before={
        budget !== undefined && (
          <Button look="danger" className="me-auto" onClick={() => setDeleting(true)}>
            Delete budget
          </Button>
        )
      }
    >
      {({ errorOf }) => (
        <>
          {budget === undefined && (
            <>
              <BudgetTarget scopes={SCOPES} errorOf={errorOf} />
              <Field label="Period" error={errorOf("period")} help="Days and months are counted in UTC.">
                <Select name="period" defaultValue="day">
                  {PERIODS.map((period) => (
                    <option key={period} value={period}>
                      {PERIOD_LABELS[period]}
                    </option>
                  ))}
                </Select>
              </Field>
            </>
          )}
          <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
            <Field label="Limit in USD" aside="or in tokens" error={errorOf("max_usd")}>
              <Input name="max_usd" inputMode="decimal" placeholder="20" defaultValue={budget?.max_usd ?? ""} />
            </Field>
            <Field label="Limit in tokens" aside="optional" error={errorOf("max_tokens")}>
              <Input name="max_tokens" inputMode="numeric" defaultValue={budget?.max_tokens ?? ""} />
            </Field>
          </div>
          <Field
            label="When the next call could exceed the limit"
            error={errorOf("on_breach")}
            help="The highest possible cost of a call is reserved before the call is made."
          >
            <Select name="on_breach" defaultValue={budget?.on_breach ?? "stop"}>
              {Object.entries(BREACHES).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          </Field>
        </>
      )}
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
