import type { Client, Connection, Submittable } from "pg";

/** A column of a statement's rows, as PostgreSQL describes it without executing the statement. */
export interface DescribedColumn {
  readonly name: string;
  /** The table or view of a plain column, and the column's number in it; 0 for an expression. */
  readonly tableID: number;
  readonly columnID: number;
  readonly dataTypeID: number;
}

/** Lets PostgreSQL parse a statement and describe its rows; none for a statement that returns no rows. */
export function describeStatement(client: Client, text: string): Promise<readonly DescribedColumn[]> {
  return new Promise((resolve, reject) => {
    client.query(new Description(text, resolve, reject));
  });
}

/** A query of `pg` that ends after Parse and Describe. */
class Description implements Submittable {
  private readonly text: string;
  private readonly resolve: (columns: readonly DescribedColumn[]) => void;
  private readonly reject: (error: Error) => void;
  private columns: readonly DescribedColumn[] = [];

  constructor(text: string, resolve: (columns: readonly DescribedColumn[]) => void, reject: (error: Error) => void) {
    this.text = text;
    this.resolve = resolve;
    this.reject = reject;
  }

  submit(connection: Connection): void {
    connection.parse({ name: "", text: this.text, types: [] }, true);
    connection.describe({ type: "S", name: "" }, true);
    connection.sync();
  }

  handleRowDescription({ fields }: { readonly fields: readonly DescribedColumn[] }): void {
    this.columns = fields;
  }

  handleError(error: Error): void {
    this.reject(error);
  }

  handleReadyForQuery(): void {
    this.resolve(this.columns);
  }
}
