import { z } from "zod";
import { stepDetail } from "#domain/runs/step-detail.ts";
import type { StepDetail } from "#domain/runs/step-detail.ts";
import { stepRow } from "#domain/runs/step-row.ts";
import type { StepRow } from "#domain/runs/step-row.ts";
import { consoleOf } from "./api.ts";
import type { Answer } from "./api.ts";
import type { ApiService } from "./runs.ts";

const page = z.strictObject({
  run_id: z.uuid(),
  log_id: z.uuid(),
  attempt: z.int(),
  seq: z.int(),
  steps: z.array(stepRow),
  count: z.int(),
  places: z.array(z.int()).optional(),
  next: z.string().nullable(),
});

/** A page of a run's steps. */
export type StepsPage = z.output<typeof page>;

/** Asks the console's API for a part of a run: the head by default. */
export function askRun(service: ApiService, id: string, part = ""): Promise<Answer> {
  return consoleOf(service, service.keys.api).get(`/runs/${id}${part}`);
}

/** Reads a page of a run's steps. @param query as in `?attempt=1` */
export async function stepsPageOf(service: ApiService, id: string, query = ""): Promise<StepsPage> {
  return page.parse((await askRun(service, id, `/steps${query}`)).body);
}

/** Reads the steps of a run. */
export async function stepsOf(service: ApiService, id: string, query = ""): Promise<readonly StepRow[]> {
  return (await stepsPageOf(service, id, query)).steps;
}

/** Reads a step of a run. */
export async function stepOf(service: ApiService, id: string, key: string): Promise<StepDetail> {
  return stepDetail.parse((await askRun(service, id, `/step?key=${encodeURIComponent(key)}`)).body);
}

/** The rows in short: how deep each one lies, its kind, what it is called, and how it stands. */
export function outline(steps: readonly StepRow[]): readonly string[] {
  const depths = new Map<string | undefined, number>([[undefined, -1]]);
  return steps.map(({ key, parent, kind, label, model, status }) => {
    const depth = (depths.get(parent) ?? -1) + 1;
    depths.set(key, depth);
    return `${"  ".repeat(depth)}${kind} ${label ?? model ?? ""} ${status}`;
  });
}
