import { expect, test } from "vitest";
import { createCoalescer } from "./coalescer.ts";

const LONG = 60_000;

/** A source whose readings end when they are told to. */
function createSource() {
  const readings: PromiseWithResolvers<string>[] = [];
  const read = () => {
    const reading = Promise.withResolvers<string>();
    readings.push(reading);
    return reading.promise;
  };
  return { readings, read, end: (index: number, value: string) => readings[index]?.resolve(value) };
}

test("who comes while one reads shares the next reading, which begins behind it", async () => {
  const { readings, read, end } = createSource();
  const together = createCoalescer<string>(LONG);
  const first = together("a", read);
  const others = [together("a", read), together("a", read), together("a", read)];
  expect(readings).toHaveLength(1);
  end(0, "old");
  expect(await first).toBe("old");
  await expect.poll(() => readings.length).toBe(2);
  end(1, "new");
  expect(await Promise.all(others)).toEqual(["new", "new", "new"]);
  expect(readings).toHaveLength(2);
});

test("who comes when the next reading has begun waits for the one after it", async () => {
  const { readings, read, end } = createSource();
  const together = createCoalescer<string>(LONG);
  const answers = [together("a", read), together("a", read)];
  end(0, "1");
  await expect.poll(() => readings.length).toBe(2);
  answers.push(together("a", read));
  end(1, "2");
  await expect.poll(() => readings.length).toBe(3);
  end(2, "3");
  expect(await Promise.all(answers)).toEqual(["1", "2", "3"]);
});

test("readers of different keys do not wait for each other", async () => {
  const { readings, read, end } = createSource();
  const together = createCoalescer<string>(LONG);
  const [a, b] = [together("a", read), together("b", read)];
  expect(readings).toHaveLength(2);
  end(1, "b");
  expect(await b).toBe("b");
  end(0, "a");
  expect(await a).toBe("a");
});

test("a failure is that of those who shared it, and of nobody else", async () => {
  const { readings, read, end } = createSource();
  const together = createCoalescer<string>(LONG);
  const first = together("a", read);
  const others = [together("a", read), together("a", read)];
  readings[0]?.reject(new Error("gone"));
  await expect(first).rejects.toThrow("gone");
  await expect.poll(() => readings.length).toBe(2);
  readings[1]?.reject(new Error("still gone"));
  for (const other of others) await expect(other).rejects.toThrow("still gone");
  const later = together("a", read);
  end(2, "back");
  expect(await later).toBe("back");
});

test("a reader that throws at once is no obstacle to those who come later", async () => {
  const { readings, read, end } = createSource();
  const together = createCoalescer<string>(LONG);
  const broken = () => {
    throw new Error("no way");
  };
  const first = together("a", read);
  const second = together("a", broken);
  end(0, "1");
  expect(await first).toBe("1");
  await expect(second).rejects.toThrow("no way");
  const third = together("a", read);
  await expect.poll(() => readings.length).toBe(2);
  end(1, "2");
  expect(await third).toBe("2");
});

test("a reading that does not end holds up the next one no longer than patience lasts", async () => {
  const { readings, read, end } = createSource();
  const together = createCoalescer<string>(10);
  void together("a", read);
  const second = together("a", read);
  await expect.poll(() => readings.length).toBe(2);
  end(1, "fresh");
  expect(await second).toBe("fresh");
});

test("when nobody reads any more, the next reader begins at once", async () => {
  const { readings, read, end } = createSource();
  const together = createCoalescer<string>(LONG);
  for (const index of [0, 1, 2]) {
    const answer = together("a", read);
    expect(readings).toHaveLength(index + 1);
    end(index, String(index));
    expect(await answer).toBe(String(index));
  }
});
