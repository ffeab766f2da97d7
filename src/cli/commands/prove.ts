import { CONNECTION, parseCount, parseNumber } from "../arguments/arguments.ts";
import { defineCommand } from "../arguments/define-command.ts";
import { UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { createOutput } from "../terminal/output.ts";
import { stopSignal } from "../terminal/stop-signal.ts";

const SEEDS = 1_000_000;
const PROCESSES = 3;
const CLIENTS = 8;

/** `muster prove` */
export default defineCommand({
  summary: "Prove that kills and outages lose nothing and pay nothing twice, on a database of its own",
  examples: ["prove", "prove --faults 500 --minutes 30 --json", "prove --seed 23"],
  args: {
    faults: { type: "string", valueHint: "number", description: "End after so many faults", default: "100" },
    minutes: { type: "string", valueHint: "number", description: "End after so many minutes", default: "10" },
    seed: { type: "string", valueHint: "number", description: "Make the choices of an earlier proof again" },
    database: {
      type: "string",
      valueHint: "url",
      description: "Make the database on this server, without TLS; default: a server of its own",
    },
    json: CONNECTION.json,
  },
  async run({ faults, minutes, seed, database, json }) {
    const options = {
      faults: parseCount("faults", faults),
      minutes: parseNumber("minutes", minutes) ?? 0,
      seed: seed === undefined ? Date.now() % SEEDS : parseCount("seed", seed),
      processes: PROCESSES,
      clients: CLIENTS,
      serverUrl: database === undefined ? undefined : checkUrl(database),
    };
    if (options.minutes <= 0) throw new UsageError(`--minutes must be above 0, not "${minutes}".`);
    const { prove } = await import("../../prove/prove.ts");
    const { reportLines } = await import("../../prove/report.ts");
    const out = createOutput(process.stdout, process.stderr);
    out.note(`Seed ${options.seed}. Starting ${PROCESSES} processes on a database of their own …`);
    const proof = await prove({
      ...options,
      signal: stopSignal("Ended early. Its database and processes are gone."),
      onFault: ({ kind }, count) => out.status(`${count} of ${options.faults} faults: ${kind}`),
    });
    out.status(undefined);
    if (json) out.json(proof);
    else for (const line of reportLines(proof)) out.line(line);
    return proof.claims.every(({ broken }) => broken.length === 0) ? EXIT.ok : EXIT.failed;
  },
});

function checkUrl(url: string): string {
  const protocol = URL.canParse(url) ? new URL(url).protocol : "";
  if (protocol === "postgres:" || protocol === "postgresql:") return url;
  throw new UsageError(
    "--database must be the URL of a PostgreSQL server, such as postgresql://user:password@host/postgres.",
  );
}
