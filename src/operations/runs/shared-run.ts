import { z } from "zod";
import { hashKey } from "#domain/access/api-key.ts";
import type { Principal } from "#domain/access/principal.ts";
import { AppError } from "#domain/errors.ts";
import { sharedCost, sharedHead, sharedStep, sharedStepDetail } from "#domain/runs/shared-run.ts";
import type { SharedRun, SharedStepDetail } from "#domain/runs/shared-run.ts";
import { findLinkedRun } from "#db/queries/runs/run-links.ts";
import type { LinkedRun } from "#db/queries/runs/run-links.ts";
import { admitAttempt } from "../accounts/attempts.ts";
import type { Client } from "../accounts/client.ts";
import type { Services } from "../context.ts";
import { bindWorkspace } from "../workspace.ts";
import { linkToken } from "./answer-links.ts";
import { readRun } from "./read-run.ts";
import { readRunStep } from "./read-step.ts";
import { readRunSteps } from "./read-steps.ts";

/** The steps of a page. */
const STEPS = 200;

/** The body of POST /auth/run-link/steps. */
export const sharedStepsInput = linkToken.extend({
  after: z.string().max(1_000).optional().describe("next of the page before."),
});

/** The body of POST /auth/run-link/step. */
export const sharedStepInput = linkToken.extend({ key: z.string().max(1_000).describe("The key of a listed step.") });

/** A page of the steps that a link shows. */
export const sharedSteps = z
  .strictObject({
    steps: z.array(sharedStep),
    next: z.string().nullable().describe("The key to send as `after`; null on the last page."),
  })
  .meta({ id: "SharedSteps" });

const named = z.object({ name: z.string() }).nullable();
const workers = z.object({ agent: named, team: named });

/** Reads the run of a link, ended or not. @throws AppError `not_found` for an invalid link; `rate_limit_exceeded`. */
export async function readSharedRun(
  services: Services,
  { token }: z.output<typeof linkToken>,
  client: Client,
): Promise<SharedRun> {
  const { workspace: name, expiresAt, showsCost, showsSteps, ...of } = await find(services, token, client);
  const record = await readRun(readerOf(services, of), { id: of.runId, attempt: of.attempt });
  const { agent, team } = workers.parse(record);
  return {
    workspace: name,
    by: (team ?? agent)?.name ?? null,
    ...sharedHead.parse(record),
    cost: showsCost ? sharedCost.parse(record) : null,
    shows_steps: showsSteps,
    expires_at: expiresAt,
  };
}

/** Lists the steps of a link's run. @throws AppError `not_found` also for a link that does not show them. */
export async function readSharedSteps(
  services: Services,
  { token, after }: z.output<typeof sharedStepsInput>,
  client: Client,
): Promise<z.output<typeof sharedSteps>> {
  const of = await findWithSteps(services, token, client);
  const query = { id: of.runId, attempt: of.attempt, after, limit: STEPS };
  const { steps, next } = await readRunSteps(readerOf(services, of), query);
  return { steps: steps.map((row) => sharedStep.parse(row)), next };
}

/** Reads one step of a link's run. @throws AppError `not_found` also for a link that does not show steps. */
export async function readSharedStep(
  services: Services,
  { token, key }: z.output<typeof sharedStepInput>,
  client: Client,
): Promise<SharedStepDetail> {
  const of = await findWithSteps(services, token, client);
  const step = await readRunStep(readerOf(services, of), { id: of.runId, attempt: of.attempt, key });
  return sharedStepDetail.parse({ ...step, text: step.reply?.text ?? null });
}

/** Invalid links count as guesses of the client; a valid one can be read so often, by all who have it. */
async function find({ db }: Services, token: string, { address }: Client): Promise<LinkedRun> {
  const succeeded = await admitAttempt(db, { link: address });
  const found = await findLinkedRun(db, hashKey(token));
  if (found === undefined) throw new AppError("not_found", "This link is invalid, has expired, or was revoked.");
  await succeeded();
  await admitAttempt(db, { shared_run: found.id });
  return found;
}

async function findWithSteps(services: Services, token: string, client: Client): Promise<LinkedRun> {
  const found = await find(services, token, client);
  if (!found.showsSteps) throw new AppError("not_found", "This link does not show the steps of the run.");
  return found;
}

/** Reads as the link's creator, who can do nothing else here. */
function readerOf(services: Services, { workspaceId, createdBy }: Pick<LinkedRun, "workspaceId" | "createdBy">) {
  const who: Principal = { workspaceId, userId: createdBy, role: "viewer", keyId: null, scopes: ["read"] };
  return bindWorkspace(services, who);
}
