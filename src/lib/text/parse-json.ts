import { printParseErrorCode, visit } from "jsonc-parser";

/** A text is not JSON. The message says what is wrong and where; it never repeats the text, which may hold secrets. */
export class JsonSyntaxError extends SyntaxError {
  override readonly name = "JsonSyntaxError";
  /** Where it is, from 1; undefined for an empty text and for one that is nested too deeply. */
  readonly position: Position | undefined;

  constructor(message: string, position?: Position) {
    super(position === undefined ? message : `${message} (line ${position.line}, column ${position.column})`);
    this.position = position;
  }
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Parses JSON like `JSON.parse`, whose own errors quote the text.
 * @param parse the parser, `JSON.parse` by default
 * @throws JsonSyntaxError, as in `a value is missing (line 2, column 5)`.
 */
export function parseJson(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  // Outside of the catch clause: the error must not become the cause of this one.
  if (text.trim() === "") throw new JsonSyntaxError("it is empty");
  const problem = findProblem(text);
  throw new JsonSyntaxError(problem?.message ?? "it is not valid JSON", problem?.position);
}

/** What is wrong, by the names of the parser's errors. */
const PROBLEMS: Readonly<Record<string, string>> = {
  InvalidSymbol: "unexpected character; names and text need double quotes",
  PropertyNameExpected: "a field name in double quotes is missing",
  ValueExpected: "a value is missing",
  ColonExpected: "a colon is missing after the field name",
  CommaExpected: "a comma, ] or } is missing",
  CloseBraceExpected: "the closing } is missing",
  CloseBracketExpected: "the closing ] is missing",
  EndOfFileExpected: "there is more text after the end of the JSON value",
  InvalidCommentToken: "JSON has no comments",
  UnexpectedEndOfComment: "JSON has no comments",
  UnexpectedEndOfString: "this text has no closing double quote on its line; write a line break as \\n",
  UnexpectedEndOfNumber: "this number is incomplete",
  InvalidUnicode: "\\u in a text must be followed by four hexadecimal digits",
  InvalidEscapeCharacter: 'a backslash in a text must be followed by one of " \\ / b f n r t u',
  InvalidCharacter: "this text contains a control character; write a tab as \\t",
};

interface Problem {
  readonly message: string;
  readonly position: Position;
}

function findProblem(text: string): Problem | undefined {
  let problem: Problem | undefined;
  try {
    visit(
      text,
      {
        onError(code, _offset, _length, line, column) {
          problem ??= {
            message: PROBLEMS[printParseErrorCode(code)] ?? "unexpected text",
            position: { line: line + 1, column: column + 1 },
          };
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    );
  } catch (error) {
    // The parser recurses: only JSON.parse reads text that is nested very deeply.
    if (!(error instanceof RangeError)) throw error;
  }
  return problem;
}
