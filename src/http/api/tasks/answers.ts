import { z } from "zod";
import { answerFields } from "#domain/tasks/answer.ts";
import { respond } from "#operations/runs/respond.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const idParam = z.object({ id: z.string().toLowerCase() });
const answerBody = answerFields.extend({ interactionId: z.string().min(1) });
const answered = z.strictObject({ ok: z.literal(true), interactionId: z.string() });

/** The records that can wait for an answer, with their names. */
const WAITING = [
  { path: "/console/api/tasks/{id}/answer", operationId: "answerTask", name: "a task", noun: "Task" },
  { path: "/console/api/runs/{id}/answer", operationId: "answerRun", name: "a team run", noun: "Run" },
] as const;

/** Adds /console/api/tasks/{id}/answer, and the same for runs: answers the open question. */
export default function addAnswers(api: Api): void {
  for (const { path, operationId, name, noun } of WAITING) {
    addPath(api, path, {
      tag: "Questions",
      endpoints: [
        endpoint({
          method: "post",
          needs: "viewer",
          operationId,
          summary: `Answer the open question of ${name}; the first answer wins`,
          params: idParam,
          body: answerBody,
          success: { status: 200, schema: answered },
          async handle({ c, workspace, params, body: { interactionId, ...body } }) {
            await respond(workspace, { subjectId: params.id, noun, interactionId, body, via: "console" });
            return respondValue(c, { ok: true, interactionId });
          },
        }),
      ],
    });
  }
}
