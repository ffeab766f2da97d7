import type { HttpServices } from "../context.ts";
import type { ApiApp } from "../envelope/route.ts";
import { addInvitationLinks } from "./invitations.ts";
import { addPasswords } from "./passwords.ts";
import { addSessions } from "./sessions.ts";
import { addSetup } from "./setup.ts";
import { addSignIn } from "./sign-in.ts";
import { addTokens } from "./tokens.ts";
import { setHeader } from "../set-header.ts";

/** Adds /auth/*: making an account, signing in and out, passwords. */
export function addAccounts(app: ApiApp, services: HttpServices): void {
  // Answers hold tokens: nobody on the way may keep them.
  app.use("/auth/*", async (c, next) => {
    setHeader(c, "Cache-Control", "no-store");
    await next();
  });
  addSetup(app, services);
  addSignIn(app, services);
  addTokens(app, services);
  addSessions(app, services);
  addPasswords(app, services);
  addInvitationLinks(app, services);
}
