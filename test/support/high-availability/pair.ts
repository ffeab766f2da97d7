import { once } from "node:events";
import { createServer } from "node:http";
import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../eventually.ts";
import type { PostgresNode } from "./node.ts";

const CATCH_UP_MS = 60_000;
/** How long it takes to notice that a primary is gone. Patroni needs up to its `ttl`. */
const NOTICE_MS = 2_000;

/** Two servers, one of which is the primary, with what Patroni does for them. */
export interface Pair {
  primary(): PostgresNode;
  /** Promotes the standby, a while after the primary went. */
  failOver(): Promise<void>;
  /**
   * Shuts the primary down, promotes the standby, and starts the former primary as a server that accepts no writes. The
   * checks take the former one for the primary until `lateMs` later.
   */
  switchOver(lateMs: number): Promise<void>;
  /** Makes the other server the synchronous standby of the primary again. */
  rejoin(): Promise<void>;
  close(): void;
}

/** A server of the pair, and the port at which it is asked whether it is the primary. */
export interface Member {
  readonly node: PostgresNode;
  readonly checkPort: number;
}

/** Starts two servers as primary and synchronous standby. */
export async function startPair([first, second]: readonly [Member, Member]): Promise<Pair> {
  let [primary, standby] = [first.node, second.node];
  let checkedAs = primary;
  const checks = await Promise.all([first, second].map((member) => answerChecks(member, () => checkedAs)));

  async function rejoin(): Promise<void> {
    await standby.kill();
    standby.line.mend();
    await standby.copy(primary);
    await awaitStandby();
  }

  async function awaitStandby(): Promise<void> {
    const isStreaming = `select 1 from pg_stat_replication where application_name = '${standby.name}' and state = 'streaming'`;
    await eventually(`${standby.name} follows`, () => primary.query(isStreaming), CATCH_UP_MS);
    await primary.waitFor(standby);
  }

  async function promoteStandby(): Promise<void> {
    await standby.waitFor(undefined);
    await standby.promote();
    [primary, standby] = [standby, primary];
  }

  await primary.create();
  return {
    primary: () => primary,
    rejoin,
    async failOver() {
      await sleep(NOTICE_MS);
      await promoteStandby();
      checkedAs = primary;
    },
    async switchOver(lateMs) {
      await primary.stop();
      await promoteStandby();
      await standby.follow(primary);
      await sleep(lateMs);
      checkedAs = primary;
      await awaitStandby();
    },
    close() {
      for (const server of checks) server.closeAllConnections();
      for (const server of checks) server.close();
    },
  };
}

/** `/primary` is 200 at the primary only; a host that is cut off gives no answer. */
async function answerChecks({ node, checkPort }: Member, primary: () => PostgresNode): Promise<Server> {
  const server = createServer((request, response) => {
    if (node.line.isCut()) return;
    response.writeHead(request.url === "/primary" && primary() === node ? 200 : 503).end();
  });
  await once(server.listen(checkPort, "127.0.0.1"), "listening");
  return server;
}
