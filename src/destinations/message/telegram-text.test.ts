import { describe, expect, it } from "vitest";
import { telegramText } from "./telegram-text.ts";

/** The text, with a tag around each part that has a form. */
function shown(markdown: string): string {
  const { text, entities } = telegramText(markdown);
  const marks = entities.flatMap(({ type, offset, length, url, language }, index) => [
    { at: offset, order: index, mark: `<${[type, url, language].filter(Boolean).join(" ")}>` },
    { at: offset + length, order: -index, mark: `</${type}>` },
  ]);
  let whole = text;
  for (const { at, mark } of marks.toSorted((one, other) => other.at - one.at || other.order - one.order)) {
    whole = whole.slice(0, at) + mark + whole.slice(at);
  }
  return whole;
}

describe("telegramText", () => {
  it.each([
    ["plain", "plain"],
    ["# A title", "<bold>A title</bold>"],
    [
      "**bold** and *it* and _it_ and ~~no~~",
      "<bold>bold</bold> and <italic>it</italic> and <italic>it</italic> and <strikethrough>no</strikethrough>",
    ],
    ["***both***", "<italic><bold>both</bold></italic>"],
    ["**a *b* c**", "<bold>a <italic>b</italic> c</bold>"],
    ["- one\n  * two\n+ three", "• one\n  • two\n• three"],
    ["To do:\n\n3. three\n4. four\n\n   more\n\nDone.", "To do:\n\n3. three\n4. four\n\nmore\n\nDone."],
    ["> so *he*\n> said\n\nand", "<blockquote>so <italic>he</italic>\nsaid</blockquote>\n\nand"],
    ["> a\n> > b", "<blockquote>a\nb</blockquote>"],
    ["1. - a\n1. b", "1. • a\n1. b"],
    ["- [x] done\n- [ ] not", "• [x] done\n• [ ] not"],
    ["see https://example.com/a_b_c and ann@example.com", "see https://example.com/a_b_c and ann@example.com"],
    ["a <b>c</b>\n\n---\n\nd", "a <b>c</b>\n\n---\n\nd"],
    ["use `x = a * b * c`, or ``a`b``", "use <code>x = a * b * c</code>, or <code>a`b</code>"],
    [
      "[the *docs*](https://example.com/a_b_c)",
      "<text_link https://example.com/a_b_c>the <italic>docs</italic></text_link>",
    ],
    ["[bad](javascript:alert(1)) [x]", "[bad](javascript:alert(1)) [x]"],
    ["snake_case_name, 2 * 3 * 4, a ** b, \\*kept\\*", "snake_case_name, 2 * 3 * 4, a ** b, *kept*"],
    ["an **open one and an _open one", "an **open one and an _open one"],
    ["😀 **bold** 😀", "😀 <bold>bold</bold> 😀"],
    ["a\n```python\n@app.x\n  y = 1 * 2\n```\nb", "a\n<pre python>@app.x\n  y = 1 * 2</pre>\nb"],
    ["~~~\n```\n~~~", "<pre>```</pre>"],
    ["```js\nstill written", "<pre js>still written</pre>"],
    ["| a | b |\n|---|---|\n| 1 | 2 |", "<pre>| a | b |\n|---|---|\n| 1 | 2 |</pre>"],
    ["```\n```", "```\n```"],
    [">".repeat(4_000) + "@x", ">".repeat(4_000) + "@\u200bx"],
  ])("shows %j", (markdown, expected) => {
    expect(shown(markdown)).toBe(expected);
  });

  it("mentions nobody, whatever the marks stand between", () => {
    const texts = [
      "@everyone",
      "**@everyone**",
      "@**everyone**",
      "@`everyone`",
      "\\@everyone",
      "@[everyone](https://x.org)",
      "*@*everyone",
    ];
    for (const text of texts) expect(telegramText(text).text).not.toMatch(/@\w/);
    expect(telegramText("ann@example.com").text).toBe("ann@example.com");
  });
});
