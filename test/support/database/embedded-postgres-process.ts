// A service process reduced to its database: started by fork() with the data folder as argument. Reports
// { url, dataDirectory, notice } or { code, message }, stops on the message 'stop', and ends.
import { startEmbeddedPostgres } from "../../../src/db/embedded/start-embedded-postgres.ts";

const dataFolder = process.argv[2] ?? "";

try {
  const { url, dataDirectory, notice, stop } = await startEmbeddedPostgres({ dataFolder });
  process.send?.({ url, dataDirectory, notice });
  process.once("message", () => void stop().then(() => process.exit(0)));
} catch (error) {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  process.send?.({ code, message: String(error) }, () => process.exit(1));
}
