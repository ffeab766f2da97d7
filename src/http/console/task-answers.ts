import { z } from "zod";
import { answerFields } from "#domain/answer.ts";
import { respond } from "#operations/respond.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { respondValue } from "../envelope/respond.ts";
import { addPath } from "../envelope/route.ts";
import type { ApiApp } from "../envelope/route.ts";
import { readBody } from "../read-body.ts";

const taskParam = z.object({ id: z.string() });
const answerBody = answerFields.extend({ interactionId: z.string().min(1) });
const answered = z.strictObject({ ok: z.literal(true), interactionId: z.string() });

/** Adds /console/api/tasks/{id}/answer: the answer to the question for which a task waits. */
export function addTaskAnswers(app: ApiApp, services: HttpServices): void {
  addPath(app, "/console/api/tasks/{id}/answer", {
    tag: "Console",
    endpoints: [
      {
        method: "post",
        summary: "Answer the question for which a task waits; the first answer wins",
        params: taskParam,
        body: answerBody,
        success: { status: 200, schema: answered },
        handle: answer,
      },
    ],
  });

  async function answer(c: HttpContext): Promise<Response> {
    const { interactionId, ...body } = await readBody(c, answerBody);
    const { id: taskId } = taskParam.parse(c.req.param());
    await respond(services, c.get("principal"), { taskId, interactionId, body });
    return respondValue(c, { ok: true, interactionId });
  }
}
