import { endSession } from "./session.ts";

/** Signs out in all tabs. This one goes to the sign-in page, or that of the provider to sign out there; nothing of the session is left, nor what was typed and not sent. */
export async function signOut(): Promise<void> {
  const next = await endSession();
  sessionStorage.clear();
  location.assign(next);
}
