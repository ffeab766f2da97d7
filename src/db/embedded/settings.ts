/**
 * The server's settings, passed on its command line so that each start uses those of the running version. Durable
 * (fsync and synchronous_commit stay on), small, quiet when idle, reachable through the socket only.
 * https://www.postgresql.org/docs/18/runtime-config.html
 */
const SETTINGS = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: "100",
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  // One server without replicas: less WAL, no sender processes.
  wal_level: "minimal",
  max_wal_senders: "0",
  max_logical_replication_workers: "0",
  max_wal_size: "1GB",
  min_wal_size: "80MB",
  checkpoint_timeout: "15min",
  shared_buffers: "64MB",
  huge_pages: "off",
  work_mem: "8MB",
  maintenance_work_mem: "64MB",
  random_page_cost: "1.1",
  // Short transactions: JIT compilation and parallel workers cost more than they save.
  jit: "off",
  io_method: "sync",
  // The queue and event tables change quickly: vacuum at 5 % dead rows, without cost delay.
  autovacuum: "on",
  autovacuum_naptime: "1min",
  autovacuum_vacuum_scale_factor: "0.05",
  autovacuum_vacuum_insert_scale_factor: "0.1",
  autovacuum_vacuum_cost_limit: "1000",
  timezone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",
  log_checkpoints: "off",
  log_line_prefix: "%m [%p] ",
} as const;

/** Settings of PostgreSQL by name. */
export type ServerSettings = Readonly<Record<string, string>>;

/**
 * The command line of the server, which takes precedence over `alter system`.
 * @param dataDirectory the cluster
 * @param socketFolder the folder of the socket, a private one
 * @param others settings that replace those of here
 */
export function serverArguments(dataDirectory: string, socketFolder: string, others: ServerSettings = {}): string[] {
  const settings = { ...SETTINGS, ...others, unix_socket_directories: quoteListItem(socketFolder) };
  return ["-D", dataDirectory, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}

/** The setting is a comma-separated list; quotes allow a path with commas or spaces. */
function quoteListItem(path: string): string {
  return `"${path.replaceAll('"', '""')}"`;
}
