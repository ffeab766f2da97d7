// Reads an OpenAPI document from standard input and writes its TypeScript types to standard output.
import { text } from "node:stream/consumers";
import openapiTS, { astToString } from "openapi-typescript";

const ast = await openapiTS(JSON.parse(await text(process.stdin)), {
  immutable: true,
  alphabetize: false,
  defaultNonNullable: false,
});
process.stdout.write(astToString(ast));
