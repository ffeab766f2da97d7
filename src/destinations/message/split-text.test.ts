import { describe, expect, it } from "vitest";
import { splitText } from "./split-text.ts";
import { CODE_POINTS } from "./truncate.ts";

const split = (text: string, max = 400, parts = 9) => splitText(text, { max, unit: CODE_POINTS, parts });
const lines = (count: number, of = (index: number) => `    line(${index})`) =>
  Array.from({ length: count }, (_, index) => of(index)).join("\n");

describe("splitText", () => {
  it("closes a code block that it splits, and opens it again with its language", () => {
    const code = lines(40);
    const found = split(`Here:\n\n\`\`\`python\n${code}\n\`\`\`\n\nThat is all.`);
    expect(found.length).toBeGreaterThan(3);
    const whole = found.map((part) => /^(?:Here:\n\n)?```python\n([^`]+)\n```(?:\n\nThat is all\.)?$/.exec(part)?.[1]);
    expect(whole.filter((part) => part !== undefined).join("\n")).toBe(code);
  });

  it("opens no block again that ends where the text is split", () => {
    for (let count = 1; count < 40; count++) {
      const found = split(`\`\`\`\n${lines(count)}\n\`\`\`\n\n${"word ".repeat(40)}`);
      for (const part of found) expect(part).not.toMatch(/```\s*```/);
      expect(found.join("").match(/line/g)).toHaveLength(count);
    }
  });

  it("takes a block in a list, a longer mark and marks inside of it for what they are", () => {
    const inside = lines(40, (index) => (index % 5 === 0 ? "```" : `line ${index}`));
    const found = split(`- Item\n  \`\`\`\`md\n${inside}\n  \`\`\`\`\n\n${"word ".repeat(50)}`);
    expect(found[1]).toMatch(/^ {2}````md\n/);
    expect(found[0]).toMatch(/\n {2}````$/);
    expect(found.at(-1)).not.toContain("```");
  });

  it("keeps every part within the limit, and says in the last one that more is left out", () => {
    const found = split(`~~~ ${"a".repeat(30)}\n${lines(100)}\n~~~`, 400, 3);
    expect(found).toHaveLength(3);
    for (const part of found) expect(part.length).toBeLessThanOrEqual(400);
    expect(found.at(-1)).toMatch(/\n~~~\n\n… \(The rest is in the console\.\)$/);
  });
});
