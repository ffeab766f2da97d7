/** Parts of pg 8.23 that its own queries work with, and @types/pg leaves out. */
declare module "pg/lib/utils.js" {
  /** A value of JavaScript in the form in which a parameter is sent. */
  export function prepareValue(value: unknown): string | Buffer | null;
}
