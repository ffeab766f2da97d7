import type { Role } from "#domain/access/role.ts";
import type { Database, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

type Querying = Pick<Transaction, "query">;

const OPEN_SESSION = statement({
  name: "open-session",
  text: `
    with person as (
      select id from users where id = $2 and password_hash is not distinct from $6 for share
    ), passkey as (
      select id from passkeys where id = $10 for share
    ), session as (
      insert into sessions (id, user_id, last_workspace_id, user_agent, expires_at, ends_at, opened_by, passkey_id)
      select $1, id, $3, $4, least(now() + make_interval(secs => $5), ends_at), ends_at, $9, $10
      from person cross join (select now() + make_interval(secs => $8) as ends_at) fixed
      where $10::uuid is null or exists (select from passkey) returning id
    ), token as (
      insert into refresh_tokens (token_hash, session_id) select $7, id from session where $7::text is not null
    )
    select id from session`,
});

/** A session to create. */
export interface NewSession {
  readonly id: string;
  readonly userId: string;
  readonly workspaceId: string;
  readonly userAgent: string | null;
  readonly seconds: number;
  /** The hash that the password was checked against: the session is created only if it is still current. */
  readonly passwordHash: string | null;
  /** Null for a session that cannot be refreshed. */
  readonly refreshHash: string | null;
  /** Seconds after which it ends, however often it is refreshed; null: never. */
  readonly endsAfter: number | null;
  readonly openedBy: OpenedBy;
  /** The passkey that opened it: the session is created only if it still exists. */
  readonly passkeyId: string | null;
}

/** How a session was opened. */
export type OpenedBy = "password" | "passkey" | "provider" | "setup_link";

/** Creates a session. Returns false when the password was changed, or the passkey removed, since it was checked. */
export async function openSession(tx: Querying, session: NewSession): Promise<boolean> {
  const { id, userId, workspaceId, userAgent, seconds, passwordHash, refreshHash } = session;
  const { endsAfter, openedBy, passkeyId } = session;
  const how = [endsAfter, openedBy, passkeyId];
  const values = [id, userId, workspaceId, userAgent, seconds, passwordHash, refreshHash, ...how];
  return (await tx.query(OPEN_SESSION, values)).length === 1;
}

const ROTATE_REFRESH_TOKEN = statement({
  name: "rotate-refresh-token",
  text: `
    with presented as (
      select s.id, s.user_id, s.last_workspace_id, s.opened_by = 'password' as by_password,
        t.spent_at is null as live, t.spent_at is null or t.spent_at > now() - make_interval(secs => $4) as good
      from refresh_tokens t join sessions s on s.id = t.session_id
      where t.token_hash = $1 and s.expires_at > now()
      for update of s
    ), stolen as (
      delete from sessions where id = (select id from presented where not good)
    ), spent as (
      update refresh_tokens set spent_at = now()
      where session_id = (select id from presented where live) and spent_at is null
        and token_hash <> $1 and issued_for is distinct from $1
    ), stored as (
      insert into refresh_tokens (token_hash, session_id, issued_for) select $2, id, $1 from presented where good
    ), used as (
      update sessions set last_used_at = now(), expires_at = least(now() + make_interval(secs => $3), ends_at)
      where id = (select id from presented where good)
    )
    select id as "sessionId", user_id as "userId", last_workspace_id as "workspaceId",
      by_password as "byPassword"
    from presented where good`,
});

/** A session with a valid refresh token. */
export interface RefreshedSession {
  readonly sessionId: string;
  readonly userId: string;
  /** The workspace of its newest access token. */
  readonly workspaceId: string;
  /** Whether a password alone opened it. */
  readonly byPassword: boolean;
}

/**
 * Issues a new refresh token for an old one and extends the session. The old token stays valid until a token issued for
 * it is used, because the response with the new one may be lost. That use revokes all other tokens of the session. A
 * revoked token stays valid for the grace period; later use of it ends the session.
 * @returns undefined for an invalid token
 */
export async function rotateRefreshToken(
  tx: Querying,
  token: {
    readonly hash: string;
    readonly newHash: string;
    /** The session's lifetime from now. */
    readonly seconds: number;
    readonly graceSeconds: number;
  },
): Promise<RefreshedSession | undefined> {
  const { hash, newHash, seconds, graceSeconds } = token;
  const values = [hash, newHash, seconds, graceSeconds];
  return (await tx.query<RefreshedSession>(ROTATE_REFRESH_TOKEN, values))[0];
}

const MOVE_SESSION = statement({
  name: "move-session",
  text: `update sessions set last_workspace_id = $2 where id = $1 and last_workspace_id <> $2`,
});

/** Records the workspace of a session's newest access token. */
export async function moveSession(tx: Querying, sessionId: string, workspaceId: string): Promise<void> {
  await tx.query(MOVE_SESSION, [sessionId, workspaceId]);
}

const FIND_SESSION = statement({
  name: "find-session",
  text: `
    select s.user_id as "userId", extract(epoch from s.expires_at - now())::double precision * 1000 as "msLeft",
      coalesce((select json_object_agg(m.workspace_id, m.role) from members m where m.user_id = s.user_id), '{}') as roles,
      array(select m.workspace_id::text from members m where m.user_id = s.user_id and m.can_answer) as "answersIn",
      array(
        select w.id::text from members m join workspaces w on w.id = m.workspace_id
        where m.user_id = s.user_id and w.require_passkeys and s.opened_by = 'password'
      ) as "closedIn"
    from sessions s where s.id = $1 and s.expires_at > now()`,
});

/** An active session. */
export interface SessionRow {
  readonly userId: string;
  /** The remaining lifetime, in milliseconds by the database's clock. */
  readonly msLeft: number;
  /** The person's role by workspace id. */
  readonly roles: Readonly<Record<string, Role>>;
  /** The workspaces in which the person may answer questions even as a viewer. */
  readonly answersIn: readonly string[];
  /** The workspaces that require a passkey, if a password alone opened the session. */
  readonly closedIn: readonly string[];
}

/** Finds a session; undefined when it was revoked or has expired. */
export async function findSession(db: Database, sessionId: string): Promise<SessionRow | undefined> {
  return (await db.query<SessionRow>(FIND_SESSION, [sessionId]))[0];
}

const LIST_SESSIONS = statement({
  name: "list-sessions",
  text: `
    select id, user_agent, iso(created_at) as created_at, iso(last_used_at) as last_used_at,
      iso(expires_at) as expires_at
    from sessions where user_id = $1 and expires_at > now() order by created_at desc`,
});

/** A session as its owner sees it. */
export interface SessionRecord {
  readonly id: string;
  readonly user_agent: string | null;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly expires_at: string;
}

/** Lists a person's sessions, newest first. */
export async function listSessions(db: Database, userId: string): Promise<SessionRecord[]> {
  return db.query<SessionRecord>(LIST_SESSIONS, [userId]);
}

const END_SESSION = statement({
  name: "end-session",
  text: `delete from sessions where id = $1 and user_id = $2 returning id`,
});

/** Ends one session of a person. Returns whether there was one. */
export async function endSession(db: Database, sessionId: string, userId: string): Promise<boolean> {
  return (await db.query(END_SESSION, [sessionId, userId])).length === 1;
}

const END_SESSION_OF_TOKEN = statement({
  name: "end-session-of-token",
  text: `
    delete from sessions where id = (select session_id from refresh_tokens where token_hash = $1)
    returning opened_by = 'provider' as "beganAtProvider"`,
});

/** Ends the session of a current or former refresh token. Returns whether it began at the provider. */
export async function endSessionOfToken(db: Database, tokenHash: string): Promise<boolean> {
  const [ended] = await db.query<{ beganAtProvider: boolean }>(END_SESSION_OF_TOKEN, [tokenHash]);
  return ended?.beganAtProvider ?? false;
}

const END_SESSIONS = statement({
  name: "end-sessions",
  text: `delete from sessions where user_id = $1 and id is distinct from $2::uuid`,
});

/** Ends all sessions of a person except the one to keep. */
export async function endSessions(tx: Querying, userId: string, kept: string | null): Promise<void> {
  await tx.query(END_SESSIONS, [userId, kept]);
}
