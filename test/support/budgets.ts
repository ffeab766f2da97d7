import { z } from "zod";
import { fieldsOf, listOf } from "./api.ts";
import type { Answer, Api } from "./api.ts";

const standing = z.object({
  key: z.string(),
  used_usd: z.number(),
  used_tokens: z.number(),
  reserved_usd: z.number(),
  reserved_tokens: z.number(),
  cap_usd: z.number().nullable(),
  cap_tokens: z.number().nullable(),
});

const budget = z.looseObject({ id: z.uuid(), window: standing.nullable() });

/** A budget, with the fields that tests read. */
export type BudgetFields = z.output<typeof budget>;

/** Makes a budget through the console's API. */
export async function makeBudget(console: Api, fields: Readonly<Record<string, unknown>>): Promise<BudgetFields> {
  return read(await console.post("/budgets", fields), 201);
}

/** Reads the current window of a budget. @throws ZodError when it has no window. */
export async function budgetWindow(console: Api, id: string): Promise<z.output<typeof standing>> {
  return standing.parse(read(await console.get(`/budgets/${id}`), 200).window);
}

/** Reads the budget window of an attempt of a task or a team run. */
export async function runBudgetWindow(console: Api, targetId: string): Promise<z.output<typeof standing>> {
  const [only] = listOf(await console.get(`/budgets?target_id=${targetId}`));
  return standing.parse(budget.parse(only).window);
}

function read(answer: Answer, status: number): BudgetFields {
  if (answer.status !== status) throw new Error(`${answer.status}: ${answer.text}`);
  return budget.parse(fieldsOf(answer));
}
