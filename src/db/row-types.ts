declare const json: unique symbol;

/** In `gen/rows.ts`: a JSON value, whose shape PostgreSQL does not know. */
export type Json = typeof json;

/**
 * In `gen/rows.ts`: an expression, a column of a view, or a column in a statement with an outer join. PostgreSQL knows
 * its type, but not whether it can be null, nor which values occur.
 */
export interface Computed<Type> {
  readonly computed: Type;
}

/**
 * The descriptions that fit a row type. The row type of a plain column must include its type and its null. For what
 * PostgreSQL does not know, the row type decides: the shape of JSON, and the nullability and values of expressions.
 */
export type Described<Row> = {
  readonly [Column in keyof Row]-?: Row[Column] | Json | Computed<Base<NonNullable<Row[Column]>> | Json>;
};

/** A description in which the statement's text excludes null or other values of the columns `Narrowed`. */
export type NarrowedRow<Row, Narrowed extends keyof Row> = {
  readonly [Column in keyof Row]: Column extends Narrowed ? Computed<Exclude<Row[Column], null>> : Row[Column];
};

/** The type that PostgreSQL reports for a value: text where TypeScript knows the possible texts. */
type Base<Value> = Value extends string
  ? string
  : Value extends number
    ? number
    : Value extends boolean
      ? boolean
      : Value extends Date | Uint8Array
        ? Value
        : Value extends readonly (infer Element)[]
          ? Base<NonNullable<Element>>[]
          : never;
