import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { listSessions, revokeOtherSessions, revokeSession } from "#operations/accounts/sessions.ts";
import { respondValue } from "../api/shape/respond.ts";
import { addPath } from "../api/shape/route.ts";
import type { Api } from "../api/shape/route.ts";
import { sessionRecord } from "./records.ts";
import { endpoint } from "../api/shape/endpoint.ts";

const idParam = z.strictObject({ id: givenId });

/** Adds /auth/sessions: a person's own sessions. */
export default function addSessions(api: Api): void {
  addPath(api, "/auth/sessions", { tag: "Accounts", endpoints: [list, removeOthers] });
  addPath(api, "/auth/sessions/{id}", { tag: "Accounts", endpoints: [remove] });
}

const list = endpoint({
  method: "get",
  operationId: "listSessions",
  needs: "session",
  summary: "List your own sessions, newest first",
  success: { status: 200, schema: z.array(sessionRecord) },
  handle: async ({ c, services, who }) => respondValue(c, await listSessions(services, who)),
});

const removeOthers = endpoint({
  method: "delete",
  operationId: "endOtherSessions",
  needs: "session",
  summary: "End all your other sessions",
  success: { status: 204 },
  handle: ({ services, who }) => revokeOtherSessions(services, who),
});

const remove = endpoint({
  method: "delete",
  operationId: "endSession",
  needs: "session",
  summary: "End one of your sessions",
  params: idParam,
  success: { status: 204 },
  handle: ({ services, who, params }) => revokeSession(services, who, params.id),
});
