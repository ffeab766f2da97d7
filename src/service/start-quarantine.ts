import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Config } from "#config/config.ts";
import type { StartQuarantine } from "#engine/queue/quarantine.ts";

const PROGRAM = join(import.meta.dirname, "../quarantine.ts");
/** A few runs need few connections. */
const CONNECTIONS = { DATABASE_POOL: "2", DATABASE_ENGINE_POOL: "2" };

/** What a quarantine process shares with this one. */
export interface QuarantinePlace {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly port: number;
}

/** Starts quarantine processes: `quarantine.ts` with the settings of this process, on its database. */
export function quarantineStarter({ config, databaseUrl, port }: QuarantinePlace): StartQuarantine {
  const { DATABASE_URL = databaseUrl } = config;
  const env = { ...config.environment, ...CONNECTIONS, DATABASE_URL, PORT: String(port) };
  return ({ executorId, parentId, group }) => {
    const child = fork(PROGRAM, [executorId, parentId, String(group.min)], {
      env,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    let beats = 0;
    child.on("message", () => (beats += 1));
    // Without an end there was no start: the file or a process was missing.
    child.on("error", () => undefined);
    const ended = Promise.race([once(child, "exit"), once(child, "error")]).then(
      ([code]) => ({ isClean: code === 0 }),
      () => ({ isClean: false }),
    );
    return { ended, beats: () => beats, kill: (signal) => void child.kill(signal) };
  };
}
