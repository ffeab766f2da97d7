import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

type Querying = Pick<Transaction, "query">;

const SAVE_RESET = statement({
  name: "save-password-reset",
  text: `
    insert into password_resets (user_id, token_hash, expires_at)
    values ($1, $2, now() + make_interval(secs => $3))
    on conflict (user_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
});

/** Stores the SHA-256 of a person's one-time link, replacing an earlier one. */
export async function savePasswordReset(
  tx: Querying,
  reset: { readonly userId: string; readonly tokenHash: string; readonly seconds: number },
): Promise<void> {
  await tx.query(SAVE_RESET, [reset.userId, reset.tokenHash, reset.seconds]);
}

const FIND_RESET = statement({
  name: "find-password-reset",
  text: `
    select u.email from password_resets r join users u on u.id = r.user_id
    where r.token_hash = $1 and r.expires_at > now()`,
});

/** The e-mail address of a link's person; undefined when the link was used or has expired. */
export async function findPasswordReset(tx: Querying, tokenHash: string): Promise<string | undefined> {
  return (await tx.query<{ email: string }>(FIND_RESET, [tokenHash]))[0]?.email;
}

const USE_RESET = statement({
  name: "use-password-reset",
  text: `
    with used as (delete from password_resets where token_hash = $1 and expires_at > now() returning user_id)
    update users set password_hash = $2, updated_at = now() from used where id = used.user_id
    returning id, email`,
});

/** Sets a password and uses up the one-time link; undefined when the link is no longer valid. */
export async function usePasswordReset(
  tx: Querying,
  reset: { readonly tokenHash: string; readonly passwordHash: string },
): Promise<{ readonly id: string; readonly email: string } | undefined> {
  return (await tx.query<{ id: string; email: string }>(USE_RESET, [reset.tokenHash, reset.passwordHash]))[0];
}

const TAKE = statement({
  name: "take-password-reset",
  text: `delete from password_resets where token_hash = $1 and expires_at > now() returning user_id as "userId"`,
});

/** Uses up a person's one-time link; undefined when it is no longer valid. */
export async function takePasswordReset(tx: Querying, tokenHash: string): Promise<string | undefined> {
  return (await tx.query<{ userId: string }>(TAKE, [tokenHash]))[0]?.userId;
}

const DROP_RESET = statement({ name: "drop-password-reset", text: `delete from password_resets where user_id = $1` });

/** Revokes a person's one-time link. */
export async function dropPasswordReset(tx: Querying, userId: string): Promise<void> {
  await tx.query(DROP_RESET, [userId]);
}
