import type { Pool } from "pg";
import { BEYOND_REACH } from "#domain/access/principal.ts";
import type { Role, Tenant } from "#domain/access/role.ts";
import { AppError } from "#domain/errors.ts";
import { codeOf } from "#lib/error-code.ts";
import type { SingleUse, Transaction } from "./database.ts";
import { IDLE_IN_TRANSACTION_MS, LOCK_WAIT_MS, onConnection } from "./pool.ts";
import type { Connection, Sendable } from "./pool.ts";
import { Statement } from "./statement.ts";

/** The time limit of a statement, in milliseconds. */
export const STATEMENT_MS = 25_000;
/** The additional time for its answer. */
const GRACE_MS = 5_000;
/** The time limit of an answer. */
export const ANSWER_MS = STATEMENT_MS + GRACE_MS;
/** The settings of a session, or a transaction, that limit its statements. */
export const limits = (lockMs: number) => [
  `statement_timeout=${STATEMENT_MS}`,
  `lock_timeout=${Math.round(lockMs)}`,
  `idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`,
];

const BEGIN = new Statement({ name: "begin", text: "begin" });
const COMMIT = { text: "commit" };
const ROLLBACK = { text: "rollback" };
/** A request does without parallel workers: starting them costs milliseconds, and takes the cores of other requests. */
const ALONE = "max_parallel_workers_per_gather=0";
/** For the rest of a transaction: the role, the workspace, the acting person, the key and its reach, and the limits. */
const ENTER = new Statement({
  name: "enter-workspace",
  text: `select set_config('role', $1, true), set_config('muster.workspace_id', $2, true),
    set_config('muster.user_id', $3, true), set_config('muster.key_id', $4, true),
    set_config('muster.reach', $5, true), ${[...limits(LOCK_WAIT_MS), ALONE].map(asLocal).join(", ")}`,
});
const LIMIT_TIME = new Statement({
  name: "limit-time",
  text: "select set_config('statement_timeout', $1, true), set_config('timezone', 'UTC', true)",
});

const INSUFFICIENT_PRIVILEGE = "42501";

/** The service itself, under the role that it connects with. */
const SERVICE = "service";

/** The database roles with the rights of members; the database does not distinguish owners. */
const DATABASE_ROLE: Readonly<Record<Role, string>> = {
  viewer: "muster_viewer",
  member: "muster_app",
  admin: "muster_admin",
  owner: "muster_admin",
};
/** Those of keys that are limited to agents and teams. */
const REACH_ROLE = { viewer: "muster_reach_viewer", member: "muster_reach_app" } as const;

/** The use of one pool's connections for statements and transactions. */
export type Sessions = ReturnType<typeof sessionsOn>;

/**
 * The statements and transactions of one pool.
 * @param keepsStatements whether prepared statements can be executed by name in every transaction
 */
export function sessionsOn(pool: Pool, keepsStatements: boolean) {
  const nameOf = keepsStatements ? preparedFor : withoutName;

  /**
   * Sends BEGIN and the following statements without waiting in between. Rolls back when any of them fails, unless
   * `run` has sent COMMIT: then PostgreSQL has done so.
   */
  const transact = <T>(tenant: Tenant | undefined, run: (open: OpenTransaction) => Promise<T>) =>
    onConnection(pool, async (connection) => {
      const open = openTransaction(connection);
      try {
        const [, result] = await Promise.all([begin(connection.send, tenant, nameOf), run(open)]);
        await open.end();
        return result;
      } catch (error) {
        // If this fails as well, the connection is closed, which also rolls back.
        await open.rollBack().catch(() => undefined);
        throw explainReach(tenant, error);
      }
    });

  return {
    query: <Row extends object>(statement: Statement<unknown>, values: readonly unknown[] = []) =>
      onConnection(pool, async ({ send }) => (await send<Row>(nameOf(SERVICE, statement), values)).rows),
    queryInWorkspace: <Row extends object>(
      tenant: Tenant,
      statement: Statement<unknown>,
      values: readonly unknown[] = [],
    ) =>
      transact(tenant, async (open) => {
        const answer = open.send<Row>(nameOf(roleOf(tenant), statement), values);
        open.commit();
        return (await answer).rows;
      }),
    transaction: <T>(tenant: Tenant | undefined, run: (tx: Transaction) => Promise<T>) =>
      transact(tenant, (open) => run(transactionOn(open, (statement) => nameOf(roleOf(tenant), statement)))),
    use: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
}

/** A transaction that was begun on a connection. */
interface OpenTransaction extends Pick<Connection, "send"> {
  /** See {@link Transaction.commit}. */
  commit(): void;
  /** Waits for the COMMIT, and sends it if it has not been sent. @throws an error when it was rolled back */
  end(): Promise<void>;
  rollBack(): Promise<void>;
}

function openTransaction({ send, hasFailed }: Connection): OpenTransaction {
  let committing: Promise<{ readonly command: string }> | undefined;

  function commit(): void {
    if (hasFailed()) return;
    committing ??= send(COMMIT);
    committing.catch(() => undefined);
  }

  return {
    async send(statement, values) {
      if (committing !== undefined) throw new Error("Statement sent after COMMIT.");
      return send(statement, values);
    },
    commit,
    async end() {
      commit();
      // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK instead of an error.
      if ((await committing)?.command === "COMMIT") return;
      throw new Error("The transaction was rolled back: one of its statements had failed.");
    },
    async rollBack() {
      await (committing ?? send(ROLLBACK));
    },
  };
}

/** Begins a transaction: in a workspace with a role's rights, or as the service itself. */
async function begin(send: Connection["send"], tenant: Tenant | undefined, nameOf: typeof preparedFor): Promise<void> {
  const role = roleOf(tenant);
  const begun = send(nameOf(role, BEGIN));
  if (tenant === undefined) return void (await begun);
  await Promise.all([
    begun,
    send(nameOf(role, ENTER), [
      role,
      tenant.workspaceId,
      tenant.userId ?? "",
      tenant.keyId ?? "",
      tenant.reach === undefined ? "" : `{${tenant.reach.join(",")}}`,
    ]),
  ]);
}

function transactionOn(
  { send, commit }: OpenTransaction,
  sendable: (statement: Statement<unknown>) => Sendable,
): Transaction {
  return {
    commit,
    async query<Row extends object>(statement: Statement<unknown>, values: readonly unknown[] = []) {
      return (await send<Row>(sendable(statement), values)).rows;
    },
    async queryOnce<Row extends object>({ text, values, timeoutMs }: SingleUse) {
      const [, { rows }] = await Promise.all([
        send(sendable(LIMIT_TIME), [Math.ceil(timeoutMs)]),
        send<Row>({ text, query_timeout: timeoutMs + GRACE_MS }, values),
      ]);
      return rows;
    },
  };
}

function asLocal(setting: string): string {
  const [name, value] = setting.split("=");
  return `set_config('${name}', '${value}', true)`;
}

function roleOf(tenant: Tenant | undefined): string {
  if (tenant === undefined) return SERVICE;
  if (tenant.reach === undefined) return DATABASE_ROLE[tenant.role];
  return tenant.role === "viewer" ? REACH_ROLE.viewer : REACH_ROLE.member;
}

/** What is not granted to a limited key is beyond its reach, for every surface. */
function explainReach(tenant: Tenant | undefined, error: unknown): unknown {
  if (tenant?.reach === undefined || codeOf(error) !== INSUFFICIENT_PRIVILEGE) return error;
  return new AppError("forbidden", BEYOND_REACH, { cause: error });
}

/**
 * A plan contains the row security of the role that it was made for, and PostgreSQL replans a prepared statement
 * whenever the role changes. So each role prepares its own.
 */
function preparedFor(role: string, { name, text }: Statement<unknown>): Sendable {
  return { name: `${role}:${name}`, text };
}

function withoutName(_role: string, { text }: Statement<unknown>): Sendable {
  return { text };
}
