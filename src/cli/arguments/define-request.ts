import { EXIT } from "../errors/exit-codes.ts";
import { openSession } from "../service/session.ts";
import type { Session } from "../service/session.ts";
import { CONNECTION } from "./arguments.ts";
import { defineCommand } from "./define-command.ts";
import type { ArgsDef, Command, Values } from "./define-command.ts";

/** A request to the service, whose result the command prints. */
export interface ServiceRequest<T extends ArgsDef, Result> {
  readonly summary: string;
  readonly examples?: readonly string[];
  /** Its arguments besides those of the connection. */
  readonly args: T;
  readonly send: (session: Session, args: Values<T>) => Promise<Result>;
  /** Prints the result for people. */
  readonly print: (session: Session, result: Result, args: Values<T>) => void | Promise<void>;
}

/** Returns a command that sends a request and prints the result, as JSON with `--json`. */
export function defineRequest<const T extends ArgsDef, Result>({
  send,
  print,
  ...command
}: ServiceRequest<T, Result>): Command {
  return defineCommand({
    ...command,
    args: { ...command.args, ...CONNECTION },
    async run(args) {
      const session = openSession(args);
      const result = await send(session, args);
      if (args.json) session.out.json(result);
      else await print(session, result, args);
      return EXIT.ok;
    },
  });
}
