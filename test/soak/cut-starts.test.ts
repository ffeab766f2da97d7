import { afterEach, beforeEach, expect, inject } from "vitest";
import { newId } from "#lib/ids.ts";
import { inDatabase, onServer } from "../support/database.ts";
import { openLine } from "../support/database/database-line.ts";
import { startProcess } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";

/** What a start sends, in its order; the connection is cut when PostgreSQL has got it. */
const MOMENTS: Readonly<Record<string, RegExp>> = {
  "it logs in": /application_name/,
  "it looks for a pooler": /Bprobe|probe-\w+\0/,
  "it takes the lock of migrations": /pg_try_advisory_lock/,
  "it migrates": /insert into schema_migrations/,
  "it replaces functions": /create or replace function/,
  "it commits the first workspace": /setup_token_hash.*commit/s,
  "requests log in": /muster_requests_\d+\0/,
  "it counts connections": /count-connections/,
  "it stores its URL": /service_url/,
  "it listens": /listen muster_wake/,
  "it registers": /register-executor/,
  "it beats": /executor-beat/,
  "it claims jobs": /poll-queue/,
};

let name: string;

beforeEach(async () => {
  name = `${inject("templateName")}_${newId().slice(-12)}`;
  await onServer(inject("serverUrl"), `create database ${name}`);
});
afterEach(() => onServer(inject("serverUrl"), `drop database ${name} with (force)`));

for (const [moment, sent] of Object.entries(MOMENTS)) {
  verifies("operations.start.lost-connection", `a start whose connection is cut as ${moment} begins anew`, async () => {
    const line = await openLine(inDatabase(inject("serverUrl"), name));
    const isCut = line.cutOnceAt(sent);
    const service = await startProcess({ databaseUrl: line.url });
    try {
      expect(isCut()).toBe(true);
      expect(service.output().stdout).toContain("token=");
      expect(service.output().stderr).not.toMatch(/ERROR|FATAL/);
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    } finally {
      await service.kill();
      line.close();
    }
  });
}
