import type { Api } from "../api/shape/route.ts";
import { addAnswerLinks } from "./answer-links.ts";
import { addInvitationLinks } from "./invitations.ts";
import { addSignInOptions } from "./options.ts";
import { addPasswords } from "./passwords.ts";
import { addProfile } from "./profile.ts";
import { addSessions } from "./sessions.ts";
import { addSetup } from "./setup.ts";
import { addSignIn } from "./sign-in.ts";
import { addTokens } from "./tokens.ts";
import { setHeader } from "../middleware/set-header.ts";

/** Adds /auth/*: sign-up, sign-in, sign-out, passwords. */
export function addAccounts(api: Api): void {
  // Responses contain tokens: no cache may store them.
  api.app.use("/auth/*", async (c, next) => {
    setHeader(c, "Cache-Control", "no-store");
    await next();
  });
  addSetup(api);
  addSignIn(api);
  addTokens(api);
  addSessions(api);
  addPasswords(api);
  addInvitationLinks(api);
  addSignInOptions(api);
  addProfile(api);
  addAnswerLinks(api);
}
