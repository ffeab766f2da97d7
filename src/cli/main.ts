import { runCommandLine } from "./run.ts";

// The reader of a pipe may have enough (`muster agents list | head -1`); that is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

process.exitCode = await runCommandLine(process.argv.slice(2));
