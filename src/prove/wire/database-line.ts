import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { NetConnectOpts, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { readBind, readParse, splitMessages } from "./postgres-messages.ts";
import type { WireMessage } from "./postgres-messages.ts";
import { join, listenOnLoopback } from "./sockets.ts";

/** Where in the life of a write a fault strikes. */
export type Moment = "before" | "after";

/** A fault that waits for the next write of a process. */
export interface Ambush {
  readonly moment: Moment;
  /** The statement to wait for; absent: any that writes. */
  readonly statement?: string | undefined;
  /** What happens then; the write, or its answer, goes no further. */
  readonly strike: () => void;
}

/** The connections of one process to the database, on which faults are laid. */
export interface DatabaseLine {
  readonly port: number;
  /** Waits for a write and strikes once. @returns the name of the write; undefined after `ms` without one */
  ambush(ambush: Ambush, ms: number): Promise<string | undefined>;
  /** Holds back all answers of the database for so long. */
  delayAnswers(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** The writes by which a process only says that it lives, and what it measures. */
const NOT_OF_RUNS = /^service:(executor-beat|register-executor|elect-keeper|delete-executor)$/;
const WRITES = /\b(insert\s+into|delete\s+from|update\s+\w+(\s+\w+)?\s+set)\b/i;
/** The server's message at the end of each answer; its last byte tells whether a transaction is open. */
const READY_FOR_QUERY = "Z";
const IDLE = "I";
/** What the server answers with {@link READY_FOR_QUERY}: Sync and a simple query. */
const ASKS_FOR_READY = new Set(["S", "Q"]);

interface Waiting extends Ambush {
  readonly struck: (statement: string) => void;
}

/**
 * Opens a port that leads to the database and knows what passes: a fault can strike before a statement that writes
 * reaches the server, or after it was committed and before the process hears of it.
 * @param database where the server listens, without TLS
 * @param writes collects the names of the statements that write
 */
export async function openDatabaseLine(database: NetConnectOpts, writes: Set<string>): Promise<DatabaseLine> {
  const waiting = new Set<Waiting>();
  const upstreams = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(database);
    upstreams.add(upstream);
    upstream.once("close", () => upstreams.delete(upstream));
    join(client, upstream);
    relay({ client, upstream, writes, take: (statement, moment) => takeFrom(waiting, statement, moment) });
  });
  const port = await listenOnLoopback(server);
  return {
    port,
    async ambush(ambush, ms) {
      const struck = Promise.withResolvers<string>();
      const mine = { ...ambush, struck: struck.resolve };
      waiting.add(mine);
      const name = await Promise.race([struck.promise, sleep(ms, undefined)]);
      waiting.delete(mine);
      return name;
    },
    async delayAnswers(ms) {
      const held = [...upstreams];
      for (const upstream of held) upstream.pause();
      await sleep(ms);
      for (const upstream of held) upstream.resume();
    },
    async close() {
      for (const upstream of upstreams) upstream.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function takeFrom(waiting: Set<Waiting>, statement: string, moment: Moment): Waiting | undefined {
  const found = [...waiting].find((each) => each.moment === moment && (each.statement ?? statement) === statement);
  if (found !== undefined) waiting.delete(found);
  return found;
}

interface Relayed {
  readonly client: Socket;
  readonly upstream: Socket;
  readonly writes: Set<string>;
  readonly take: (statement: string, moment: Moment) => Waiting | undefined;
}

function relay({ client, upstream, writes, take }: Relayed): void {
  const fromClient = splitMessages("startup");
  const fromServer = splitMessages("typed");
  const writeOf = writeReader(writes);
  let asked = 0;
  let answered = 0;
  let ambushed: { readonly statement: string; readonly ambush: Waiting; readonly answer: number } | undefined;

  function strike({ strike: act, struck }: Waiting, statement: string): void {
    act();
    struck(statement);
    client.destroy();
  }

  client.on("data", (chunk: Buffer) => {
    for (const message of fromClient.push(chunk)) {
      const statement = writeOf(message);
      const before = statement && take(statement, "before");
      if (statement && before) return strike(before, statement);
      if (statement && ambushed === undefined) {
        const ambush = take(statement, "after");
        ambushed = ambush && { statement, ambush, answer: asked + 1 };
      }
      if (ASKS_FOR_READY.has(message.type)) asked += 1;
      upstream.write(message.bytes);
    }
  });

  upstream.on("data", (chunk: Buffer) => {
    for (const { type, bytes } of fromServer.push(chunk)) {
      if (type !== READY_FOR_QUERY) continue;
      answered += 1;
      const isCommitted = bytes.toString("latin1").endsWith(IDLE);
      if (ambushed !== undefined && answered >= ambushed.answer && isCommitted)
        return strike(ambushed.ambush, ambushed.statement);
    }
    client.write(chunk);
  });
}

/** Returns a function that says which writing statement a client's message runs; undefined for any other message. */
function writeReader(writes: Set<string>): (message: WireMessage) => string | undefined {
  const own = new Set<string>();
  return (message) => {
    if (message.type === "P") {
      const { name, text } = readParse(message);
      if (name === "" || !WRITES.test(text) || NOT_OF_RUNS.test(name)) return undefined;
      own.add(name);
      writes.add(name);
    }
    const name = message.type === "B" ? readBind(message) : "";
    return own.has(name) ? name : undefined;
  };
}
