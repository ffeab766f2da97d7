import type { operations } from "./gen/schema.ts";

/** The operations of the API, by operationId. */
export type OperationId = keyof operations;

type Json<Response> = Response extends { readonly content: { readonly "application/json": infer Body } } ? Body : void;
type Success<Responses> = {
  [Status in keyof Responses]: Status extends 200 | 201 | 202 | 204 ? Json<Responses[Status]> : never;
}[keyof Responses];

/** The result of an operation. Of one that creates something, unless its query says otherwise, what it creates. */
export type Result<Id extends OperationId> = Success<
  operations[Id]["responses"] extends { readonly 201: unknown }
    ? Omit<operations[Id]["responses"], 200>
    : operations[Id]["responses"]
>;

/** What an operation that creates something returns when its query says otherwise. */
export type Instead<Id extends OperationId> = Success<Omit<operations[Id]["responses"], 201>>;

/** The body of an operation. */
export type Body<Id extends OperationId> = operations[Id] extends {
  readonly requestBody?: { readonly content: infer Content };
}
  ? "application/json" extends keyof Content
    ? Content["application/json"]
    : FormData
  : never;

type Query<Id extends OperationId> = NonNullable<operations[Id]["parameters"]["query"]>;
type Path<Id extends OperationId> = NonNullable<operations[Id]["parameters"]["path"]>;

/** The parameters of an operation in path and query. */
export type Params<Id extends OperationId> = ([Path<Id>] extends [never] ? unknown : Path<Id>) &
  ([Query<Id>] extends [never] ? unknown : Query<Id>);

/** An item of a list. */
export type Item<Id extends OperationId> = ItemOf<Result<Id>>;

type ItemOf<Body> = Body extends readonly (infer Each)[]
  ? Each
  : Body extends { readonly items: readonly (infer Each)[] }
    ? Each
    : never;

/** The record that a list endpoint returns for an `id`. */
export type One<Id extends OperationId> = Exclude<Result<Id>, readonly unknown[]>;
