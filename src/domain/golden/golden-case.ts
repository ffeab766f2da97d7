import { z } from "zod";
import { runsFilter } from "../runs/run-list.ts";
import { displayName } from "../display-name.ts";
import { goldenChecks } from "./golden-check.ts";

/** The number of cases of an agent. */
export const MAX_CASES = 200;
/** The size of a case's input and recorded tools as JSON, in bytes. */
export const MAX_CASE_BYTES = 4_000_000;
/** The golden runs that are stored of an agent; older ones are deleted. */
export const MAX_GOLDEN_RUNS = 100;

const MAX_EXPECTED = 200_000;

const caseName = displayName(200);
const expected = z.string().min(1).max(MAX_EXPECTED);

/** The body of POST /console/api/runs/{id}/golden. */
export const goldenKeep = z
  .strictObject({
    name: caseName.optional().describe("By default the run's title."),
    expected: expected
      .optional()
      .describe("What the result should be. By default the newest correction of a person, else the run's result."),
    checks: goldenChecks.optional().describe("All must pass. By default the result must be exactly what is expected."),
  })
  .describe("How a run is kept as a golden case.");

/** See {@link goldenKeep}. */
export type GoldenKeep = z.output<typeof goldenKeep>;

/** The body of PATCH /console/api/golden/cases/{id}. */
export const goldenCasePatch = z
  .strictObject({ name: caseName, expected, checks: goldenChecks })
  .partial()
  .describe("The fields of a golden case to change.");

/** See {@link goldenCasePatch}. */
export type GoldenCasePatch = z.output<typeof goldenCasePatch>;

/** The body of POST /console/api/agents/{id}/golden/cases. */
export const goldenSet = z
  .strictObject({
    filter: runsFilter.omit({ agent_id: true, team_id: true }).describe("As in GET /console/api/runs."),
    checks: goldenChecks.optional().describe("Of each case; by default as for a single one."),
  })
  .describe("Which runs of the agent are kept.");

/** See {@link goldenSet}. */
export type GoldenSet = z.output<typeof goldenSet>;

/** What came of it. */
export const keptSet = z
  .strictObject({
    kept: z.array(z.uuid()).describe("The ids of the new cases."),
    skipped: z
      .array(z.strictObject({ run_id: z.uuid(), message: z.string() }))
      .describe("Runs that cannot be kept, with the reason."),
  })
  .meta({ id: "KeptGoldenSet" });

/** See {@link keptSet}. */
export type KeptSet = z.output<typeof keptSet>;
