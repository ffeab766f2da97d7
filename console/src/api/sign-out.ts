import { endSession } from "./session.ts";

/** Signs out in all tabs. This one goes to the sign-in page; nothing of the session is left, nor what was typed and not sent. */
export async function signOut(): Promise<void> {
  await endSession();
  sessionStorage.clear();
  location.assign("/sign-in");
}
