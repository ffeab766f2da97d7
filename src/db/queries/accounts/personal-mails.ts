import type { Database, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

type Querying = Pick<Transaction, "query">;

const INVITATION = statement({
  name: "queue-invitation-mail",
  text: `
    with event as (
      insert into delivery_events (id, workspace_id, event, attempt, title, worker, status, result, happened_at)
      select gen_random_uuid(), workspace_id, 'mail.invitation', 1, email, '', 'completed', '', clock_timestamp()
      from invitations where id = $1
      returning id, workspace_id, event, title
    )
    insert into deliveries (workspace_id, event_id, event, subscription_id, target_name, type, host)
    select workspace_id, id, event, $1, title, 'mail', 'mail' from event`,
});

/** Queues the mail of an invitation. */
export async function queueInvitationMail(tx: Querying, invitationId: string): Promise<void> {
  await tx.query(INVITATION, [invitationId]);
}

const RESET = statement({
  name: "queue-reset-mail",
  text: `
    with person as (
      select u.id, u.email, m.workspace_id
      from users u join members m on m.user_id = u.id
      where lower(u.email) = lower($1) and u.password_hash is not null
      order by u.email_proved desc, u.created_at, u.id, m.created_at, m.workspace_id limit 1
    ), event as (
      insert into delivery_events (id, workspace_id, event, attempt, title, worker, status, result, happened_at)
      select gen_random_uuid(), workspace_id, 'mail.password_reset', 1, email, '', 'completed', '', clock_timestamp()
      from person returning id, workspace_id, event, title
    )
    insert into deliveries (workspace_id, event_id, event, subscription_id, target_name, type, host)
    select e.workspace_id, e.id, e.event, p.id, e.title, 'mail', 'mail' from event e cross join person p`,
});

/** Queues a mail with a link for a new password to the account that owns an address, else to the oldest with it. */
export async function queueResetMail(tx: Querying, email: string): Promise<void> {
  await tx.query(RESET, [email]);
}

const RENEW = statement({
  name: "renew-mailed-invitation",
  text: `
    update invitations i set mail_token_hash = $2
    from workspaces w, users u
    where i.id = $1 and i.expires_at > now() and w.id = i.workspace_id and u.id = i.invited_by
    returning i.email, w.name as "workspaceName", u.name as "inviterName"`,
});

/** What the mail of an invitation says. */
export interface MailedInvitation {
  readonly email: string;
  readonly workspaceName: string;
  readonly inviterName: string;
}

/** Gives the mail of an invitation its token; undefined when the invitation was used, withdrawn or has expired. */
export async function renewMailedInvitation(
  db: Database,
  id: string,
  tokenHash: string,
): Promise<MailedInvitation | undefined> {
  return (await db.query<MailedInvitation>(RENEW, [id, tokenHash]))[0];
}

const QUESTION = statement({
  name: "read-mailed-question",
  text: `
    select u.id as "userId", u.email, w.name as "workspaceName", v.worker as asker,
      coalesce(o.title, title_of(r)) as subject, r.id as "runId", r.interaction as request,
      case when isfinite(q.deadline) then q.deadline end as deadline
    from deliveries d
    join delivery_events v on v.id = d.event_id
    join runs r on r.id = coalesce(d.task_id, d.team_run_id)
    left join runs o on o.id = r.parent_id
    join task_questions q on q.subject_id = r.id and q.interaction_id = v.id
    join workspaces w on w.id = d.workspace_id
    cross join lateral mailed_members(q) u
    where d.id = $1 and u.id = d.subscription_id`,
});

/** An open question, as the mail to a person has it. */
export interface MailedQuestion {
  readonly userId: string;
  readonly email: string;
  readonly workspaceName: string;
  /** The name of the agent or team, or empty. */
  readonly asker: string;
  readonly subject: string;
  readonly runId: string;
  /** As in the event INTERACTION_REQUEST. */
  readonly request: unknown;
  readonly deadline: Date | null;
}

/** Reads the question of a mail; undefined once it is closed, or the person gets no such mails, or may not answer. */
export async function readMailedQuestion(db: Database, deliveryId: string): Promise<MailedQuestion | undefined> {
  return (await db.query<MailedQuestion>(QUESTION, [deliveryId]))[0];
}

const CHOOSE = statement({
  name: "choose-question-mails",
  text: `update users set question_mails = $2, updated_at = now() where id = $1 and question_mails <> $2`,
});

/** Sets which questions a person gets by mail. */
export async function chooseQuestionMails(db: Querying, userId: string, kinds: readonly string[]): Promise<void> {
  await db.query(CHOOSE, [userId, kinds]);
}
