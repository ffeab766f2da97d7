import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { listSessions, revokeOtherSessions, revokeSession } from "#operations/accounts/sessions.ts";
import { bearerToken } from "../authenticate.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { respondValue } from "../envelope/respond.ts";
import { addPath } from "../envelope/route.ts";
import type { ApiApp } from "../envelope/route.ts";
import { readParams } from "../read-body.ts";
import { sessionRecord } from "./records.ts";

const idParam = z.strictObject({ id: givenId });

/** Adds /auth/sessions: where a person is signed in. */
export function addSessions(app: ApiApp, services: HttpServices): void {
  const { sessions } = services;
  addPath(app, "/auth/sessions", {
    tag: "Accounts",
    endpoints: [
      {
        method: "get",
        needs: "session",
        summary: "List your own sessions, newest first",
        success: { status: 200, schema: z.array(sessionRecord) },
        handle: async (c) => respondValue(c, await listSessions(services, await sessions.authenticate(bearerToken(c)))),
      },
      {
        method: "delete",
        needs: "session",
        summary: "End all your sessions but this one",
        success: { status: 204 },
        handle: removeOthers,
      },
    ],
  });
  addPath(app, "/auth/sessions/{id}", {
    tag: "Accounts",
    endpoints: [
      {
        method: "delete",
        needs: "session",
        summary: "End one of your sessions",
        params: idParam,
        success: { status: 204 },
        handle: remove,
      },
    ],
  });

  async function removeOthers(c: HttpContext): Promise<Response> {
    await revokeOtherSessions(services, await sessions.authenticate(bearerToken(c)));
    return c.body(null, 204);
  }

  async function remove(c: HttpContext): Promise<Response> {
    const who = await sessions.authenticate(bearerToken(c));
    await revokeSession(services, who, readParams(c, idParam).id);
    return c.body(null, 204);
  }
}
