import { join } from "node:path";

/**
 * What each Node process of the tests needs of the environment. They keep compiled code where `npm start` does, which
 * halves the time that a process of a thousand modules takes to start.
 */
export const NODE_ENVIRONMENT: NodeJS.ProcessEnv = {
  PATH: process.env["PATH"],
  NODE_COMPILE_CACHE: join(import.meta.dirname, "../../.runtime/compile-cache"),
};
