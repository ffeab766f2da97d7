import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** A line to PostgreSQL that can be watched, and go dead. */
export interface DatabaseLine {
  /** Under it PostgreSQL is reached over the line. */
  readonly url: string;
  /** Everything that was sent to PostgreSQL since the last call. */
  takeSent(): string;
  /** Keeps PostgreSQL's answers back until {@link passAnswers}. */
  holdAnswers(): void;
  passAnswers(): void;
  /**
   * Cuts the first connection over which this was sent, with its answer: what was sent arrives. @returns whether it
   * was cut
   */
  cutOnceAt(sent: RegExp): () => boolean;
  /** Lets the line go dead without a word to either end. */
  dropAll(): void;
  close(): void;
}

/** Opens a line to the database of this address, on a free port unless one is given. */
export async function openLine(databaseUrl: string, at = 0): Promise<DatabaseLine> {
  const far = new URL(databaseUrl);
  const folder = far.searchParams.get("host");
  const target =
    folder === null
      ? { host: far.hostname, port: Number(far.port || 5432) }
      : { path: `${folder}/.s.PGSQL.${far.port || 5432}` };
  let sent = "";
  let cutAt: RegExp | undefined;
  const answering = new Set<Socket>();
  const ends = new Set<Socket>();
  const server = createServer((near) => {
    const onward = connect(target);
    let ownSent = "";
    near.on("data", (chunk) => {
      sent += chunk.toString("latin1");
      ownSent += chunk.toString("latin1");
      if (cutAt?.test(ownSent) !== true) return;
      cutAt = undefined;
      onward.unpipe();
      onward.write(chunk);
      near.destroy();
      onward.end();
    });
    answering.add(onward);
    near.pipe(onward).pipe(near);
    for (const end of [near, onward]) ends.add(end.on("error", () => undefined));
  });
  await once(server.listen(at, "127.0.0.1"), "listening");
  const url = new URL(far);
  url.searchParams.delete("host");
  url.host = `127.0.0.1:${port(server.address())}`;
  return {
    url: url.href,
    takeSent() {
      const taken = sent;
      sent = "";
      return taken;
    },
    holdAnswers() {
      for (const end of answering) end.pause();
    },
    passAnswers() {
      for (const end of answering) end.resume();
    },
    cutOnceAt(text) {
      cutAt = text;
      return () => cutAt === undefined;
    },
    dropAll() {
      for (const end of ends) end.unpipe().pause();
    },
    close() {
      for (const end of ends) end.destroy();
      server.close();
    },
  };
}

function port(address: AddressInfo | string | null): number {
  if (typeof address !== "object" || address === null) throw new Error("It does not listen on a port.");
  return address.port;
}
