import { findOutputFiles } from "#domain/files/output-files.ts";
import { serveSandbox } from "#lib/sandbox/serve-sandbox.ts";

// The sandbox program used by find-outputs.ts.
serveSandbox((result: string) => findOutputFiles(result));
