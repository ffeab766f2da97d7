import { acceptInvitation, acceptance, readInvitation } from "#operations/accept-invitation.ts";
import type { HttpContext, HttpServices } from "./context.ts";
import type { ApiApp } from "./envelope/route.ts";
import { readBody } from "./read-body.ts";

/** Adds /auth/invitations, where the link of an invitation leads. */
export function addInvitationLinks(app: ApiApp, services: HttpServices): void {
  app.get("/auth/invitations", look);
  app.post("/auth/invitations/accept", accept);

  async function look(c: HttpContext): Promise<Response> {
    const offer = await readInvitation(services, c.req.query("token") ?? "");
    const next = "POST {token, password, name?} as JSON to /auth/invitations/accept to accept.";
    return c.json({ ...offer, next }, 200, { "Cache-Control": "no-store" });
  }

  async function accept(c: HttpContext): Promise<Response> {
    return c.json(await acceptInvitation(services, await readBody(c, acceptance)), 201);
  }
}
