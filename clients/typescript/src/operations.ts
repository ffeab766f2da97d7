/** Every operation of the API by its operationId, and the streams of runs, for `createClientOf`. */
export * from "./gen/operations.ts";
export { streamTask, streamTeamRun } from "./streams.ts";
