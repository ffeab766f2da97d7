import { Query, Result, types } from "pg";
import type { Connection, FieldDef, PoolClient, QueryResultRow } from "pg";
import { prepareValue } from "pg/lib/utils.js";

declare module "pg" {
  // Parts of pg 8.23 by which a client leads its queries; @types/pg leaves them out.
  interface Query {
    handleRowDescription(message: { readonly fields: FieldDef[] }): void;
    handleDataRow(message: { readonly fields: (string | null)[] }): void;
    handleCommandComplete(message: { readonly text: string }): void;
    handleReadyForQuery(): void;
    handleError(error: Error): void;
  }
  interface Result<R> {
    addFields(fields: FieldDef[]): void;
    parseRow(columns: (string | null)[]): R;
  }
}

/** A statement; one with a name is prepared once by each connection. */
export interface Sendable {
  readonly name?: string;
  readonly text: string;
}

/** What a statement gave. */
export interface Outcome<Row> {
  readonly rows: Row[];
  /** What PostgreSQL calls what it did, such as `COMMIT` or `INSERT 0 1`. */
  readonly command: string;
}

/** Sends a statement; see {@link inRoundTrips}. */
export type Send = <Row extends QueryResultRow>(
  statement: Sendable,
  values?: readonly unknown[],
) => Promise<Outcome<Row>>;

/**
 * Sends all statements of one turn of the event loop in one piece, to be answered in one piece: so both ends are
 * woken once, and not for each statement. When one fails, those behind it are not executed and fail as well.
 * The text of a named statement is sent to each connection once, and so are its columns to us.
 */
export function inRoundTrips(client: PoolClient): Send {
  let gathered: Member[] = [];

  function flush(): void {
    const members = gathered;
    gathered = [];
    client.query(new StatementGroup(members));
  }

  return <Row extends QueryResultRow>(statement: Sendable, values: readonly unknown[] = []) => {
    const outcome = new Promise<Outcome<Row>>((resolve, reject) => {
      const member = createMember(statement, values.map(prepareValue), { resolve, reject });
      if (gathered.push(member) === 1) process.nextTick(flush);
    });
    return outcome.catch(throwFromHere);
  };
}

/** What has failed says by its stack who had sent it, not which packet told of it. */
function throwFromHere(error: unknown): never {
  if (error instanceof Error) Error.captureStackTrace(error);
  throw error;
}

/** A statement in a group. */
interface Member {
  send(connection: Connection): void;
  /** Takes the columns of its rows. */
  describe(fields: FieldDef[]): void;
  take(columns: (string | null)[]): void;
  complete(connection: Connection, command: string): void;
  /** Tells whoever has sent it what it gave. */
  succeed(): void;
  /** Tells whoever has sent it why it gave nothing, or nothing that lasts. */
  fail(error: Error, connection: Connection | undefined): void;
}

/** The named statements that a connection has prepared, with what makes rows of their columns. */
const prepared = new WeakMap<Connection, Map<string, Result>>();

function preparedBy(connection: Connection): Map<string, Result> {
  const known = prepared.get(connection) ?? new Map<string, Result>();
  prepared.set(connection, known);
  return known;
}

function createMember<Row extends QueryResultRow>(
  { name = "", text }: Sendable,
  values: (string | Buffer | null)[],
  outcome: { resolve(outcome: Outcome<Row>): void; reject(error: Error): void },
): Member {
  const rows: Row[] = [];
  let shape: Result<Row> | undefined;
  let command: string | undefined;

  return {
    send(connection) {
      shape = preparedBy(connection).get(name);
      if (shape === undefined) {
        // It may be there from an attempt that failed.
        if (name !== "") connection.close({ type: "S", name }, true);
        connection.parse({ name, text, types: [] }, true);
      }
      connection.bind({ statement: name, values }, true);
      if (shape === undefined) connection.describe({ type: "P" }, true);
      connection.execute(null, true);
    },
    describe(fields) {
      shape = new Result<Row>("", types);
      shape.addFields(fields);
    },
    take(columns) {
      if (shape !== undefined) rows.push(shape.parseRow(columns));
    },
    complete(connection, done) {
      command = done;
      if (name !== "") preparedBy(connection).set(name, shape ?? new Result<Row>("", types));
    },
    succeed() {
      if (command === undefined) outcome.reject(new Error("PostgreSQL gave no answer to a statement."));
      else outcome.resolve({ rows, command });
    },
    fail(error, connection) {
      // Perhaps its columns have changed since; prepared anew, it can be executed again.
      if (connection !== undefined) preparedBy(connection).delete(name);
      outcome.reject(error);
    },
  };
}

/** Statements that are sent one behind another, with one Sync behind the last (PostgreSQL's manual, "Pipelining"). */
class StatementGroup extends Query {
  readonly #members: readonly Member[];
  #connection: Connection | undefined;
  #at = 0;

  constructor(members: readonly Member[]) {
    super("");
    this.#members = members;
  }

  override readonly submit = (connection: Connection): void => {
    this.#connection = connection;
    connection.stream.cork();
    for (const member of this.#members) member.send(connection);
    connection.sync();
    connection.stream.uncork();
  };

  override handleRowDescription({ fields }: { readonly fields: FieldDef[] }): void {
    this.#members[this.#at]?.describe(fields);
  }

  override handleDataRow({ fields }: { readonly fields: (string | null)[] }): void {
    this.#members[this.#at]?.take(fields);
  }

  override handleCommandComplete({ text }: { readonly text: string }): void {
    if (this.#connection !== undefined) this.#members[this.#at]?.complete(this.#connection, text);
    this.#at += 1;
  }

  override handleReadyForQuery(): void {
    for (const member of this.#members) member.succeed();
  }

  /**
   * Those before the one that failed have succeeded as far as a transaction can before its end. When it was the end
   * that failed, which for statements outside of a transaction is the Sync, none has.
   */
  override handleError(error: Error): void {
    const isEnd = this.#at === this.#members.length;
    const skipped = new Error("Not executed: a statement in front of it has failed.", { cause: error });
    for (const [index, member] of this.#members.entries()) {
      if (index < this.#at && !isEnd) member.succeed();
      else member.fail(isEnd || index === this.#at ? error : skipped, this.#connection);
    }
  }
}
