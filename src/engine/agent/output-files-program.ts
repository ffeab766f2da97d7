import { findOutputFiles } from "#domain/files/output-files.ts";
import { serveSandbox } from "#lib/sandbox/serve-sandbox.ts";

// The program of the sandbox in find-outputs.ts.
serveSandbox((result: string) => findOutputFiles(result));
