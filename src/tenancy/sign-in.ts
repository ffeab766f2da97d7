import type { Client } from "pg";
import { z } from "zod";
import { newId } from "#lib/ids.ts";
import { ask } from "./ask.ts";
import type { Side } from "./side.ts";

const OK = 200;
const session = z.looseObject({ access_token: z.string() });

/** Signs the owner of a workspace in; where people do not sign in with passwords, it has no token and no session. */
export async function signInOwner(baseUrl: string, side: Side, client: Client): Promise<Side> {
  const { email, password, members } = side.things;
  const body = { email, password };
  const answer = await ask(baseUrl, "POST /auth/sign-in", { asked: { body }, headers: {} });
  if (answer.status !== OK) return { ...side, things: { ...side.things, sessions: newId() } };
  const { access_token: token } = session.parse(JSON.parse(answer.text));
  const [cookie = ""] = answer.headers.getSetCookie().map((each) => each.split(";")[0] ?? "");
  const { rows } = await client.query<{ id: string }>("select id from sessions where user_id = $1", [members]);
  return { ...side, token, things: { ...side.things, cookie, sessions: rows[0]?.id ?? "" } };
}
