/** Every operation of the API by its operationId, and the streams of runs, for `createClientOf`. */
export * from "./operations.gen.ts";
export { streamTask, streamTeamRun } from "./streams.ts";
