import { autovacuum } from "./checks/autovacuum.ts";
import { backupAge } from "./checks/backup-age.ts";
import { clock } from "./checks/clock.ts";
import { connections } from "./checks/connections.ts";
import { disk } from "./checks/disk.ts";
import { durableWrites } from "./checks/durable-writes.ts";
import { fileStore } from "./checks/file-store.ts";
import { folderModes } from "./checks/folder-modes.ts";
import { grants } from "./checks/grants.ts";
import { indexes } from "./checks/indexes.ts";
import { jobs } from "./checks/jobs.ts";
import { key } from "./checks/key.ts";
import { mcpAccounts } from "./checks/mcp-accounts.ts";
import { memory } from "./checks/memory.ts";
import { pooler } from "./checks/pooler.ts";
import { processes } from "./checks/processes.ts";
import { providerRules } from "./checks/provider-rules.ts";
import { publicAddress } from "./checks/public-address.ts";
import { readOnly } from "./checks/read-only.ts";
import { readReplica } from "./checks/read-replica.ts";
import { roles } from "./checks/roles.ts";
import { rowLevelSecurity } from "./checks/row-level-security.ts";
import { tls } from "./checks/tls.ts";
import { traces } from "./checks/traces.ts";
import { versions } from "./checks/versions.ts";
import { xidAge } from "./checks/xid-age.ts";
import type { Check } from "./define-check.ts";

/** All checks, in the order of the report. The connection to the database is checked before. */
export const CHECKS: readonly Check[] = [
  memory,
  disk,
  folderModes,
  fileStore,
  traces,
  publicAddress,
  versions,
  readOnly,
  roles,
  grants,
  rowLevelSecurity,
  key,
  pooler,
  connections,
  tls,
  readReplica,
  clock,
  durableWrites,
  autovacuum,
  xidAge,
  indexes,
  processes,
  jobs,
  mcpAccounts,
  providerRules,
  backupAge,
];
