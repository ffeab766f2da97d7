import { printParseErrorCode, visit } from "jsonc-parser";

/** A text is not JSON. The message says what is wrong and where; it never repeats the text, which may hold secrets. */
export class JsonSyntaxError extends SyntaxError {
  override readonly name = "JsonSyntaxError";
}

/**
 * Parses JSON like `JSON.parse`, whose own errors quote the text.
 * @throws JsonSyntaxError, as in `a value is missing (line 2, column 5)`.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  // Outside of the catch clause: the error must not become the cause of this one.
  throw new JsonSyntaxError(text.trim() === "" ? "it is empty" : (findProblem(text) ?? "it is not valid JSON"));
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

function findProblem(text: string): string | undefined {
  let problem: string | undefined;
  try {
    visit(
      text,
      {
        onError(code, _offset, _length, line, column) {
          problem ??= `${PROBLEMS[printParseErrorCode(code)] ?? "unexpected text"} (line ${line + 1}, column ${column + 1})`;
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
