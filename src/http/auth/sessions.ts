import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { listSessions, revokeOtherSessions, revokeSession } from "#operations/accounts/sessions.ts";
import { bearerToken } from "../middleware/authenticate.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { respondValue } from "../api/shape/respond.ts";
import { addPath } from "../api/shape/route.ts";
import type { Api } from "../api/shape/route.ts";
import { readParams } from "../middleware/read-body.ts";
import { sessionRecord } from "./records.ts";

const idParam = z.strictObject({ id: givenId });

/** Adds /auth/sessions: a person's own sessions. */
export default function addSessions(api: Api): void {
  addPath(api, "/auth/sessions", {
    tag: "Accounts",
    endpoints: [
      {
        method: "get",
        operationId: "listSessions",
        needs: "session",
        summary: "List your own sessions, newest first",
        success: { status: 200, schema: z.array(sessionRecord) },
        handle: async (c, services) =>
          respondValue(c, await listSessions(services, await services.sessions.authenticate(bearerToken(c)))),
      },
      {
        method: "delete",
        operationId: "endOtherSessions",
        needs: "session",
        summary: "End all your other sessions",
        success: { status: 204 },
        handle: removeOthers,
      },
    ],
  });
  addPath(api, "/auth/sessions/{id}", {
    tag: "Accounts",
    endpoints: [
      {
        method: "delete",
        operationId: "endSession",
        needs: "session",
        summary: "End one of your sessions",
        params: idParam,
        success: { status: 204 },
        handle: remove,
      },
    ],
  });
}

async function removeOthers(c: HttpContext, services: HttpServices): Promise<Response> {
  await revokeOtherSessions(services, await services.sessions.authenticate(bearerToken(c)));
  return c.body(null, 204);
}

async function remove(c: HttpContext, services: HttpServices): Promise<Response> {
  const who = await services.sessions.authenticate(bearerToken(c));
  await revokeSession(services, who, readParams(c, idParam).id);
  return c.body(null, 204);
}
