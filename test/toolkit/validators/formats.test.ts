import { expect, test } from "vitest";
import { FORMATS } from "../../../scripts/emit/validators/formats.js";

test.each<[format: string, fits: string[], doesNot: string[]]>([
  [
    "uuid",
    ["0191d5a2-9c40-7f7e-8d21-64b1f0a7c915", "0191D5A2-9C40-7F7E-8D21-64B1F0A7C915"],
    ["0191d5a29c407f7e8d2164b1f0a7c915", "g191d5a2-9c40-7f7e-8d21-64b1f0a7c915"],
  ],
  [
    "date",
    ["2024-02-29", "2000-02-29", "0400-02-29", "2023-02-28", "2024-04-30", "2024-12-31"],
    [
      "2023-02-29",
      "1900-02-29",
      "2024-02-30",
      "2024-04-31",
      "2024-13-01",
      "2024-01-32",
      "2024-01-00",
      "2024-1-1",
      "2024-01-01T00:00:00Z",
    ],
  ],
  [
    "date-time",
    ["2024-12-31T23:59:60Z", "2024-01-01t00:00:00.123z", "2024-01-01T00:00:00-23:59"],
    [
      "2023-02-29T00:00:00Z",
      "2024-01-01T24:00:00Z",
      "2024-01-01T00:60:00Z",
      "2024-01-01T00:00:61Z",
      "2024-01-01T00:00:00",
    ],
  ],
  ["email", ["a@b", "a.b+c@d.example"], ["a", "a@", "a@b..c", "a b@c", "a@b@c"]],
  ["ipv4", ["0.0.0.0", "255.255.255.255"], ["256.0.0.1", "08.01.1.1", "1.2.3", "1.2.3.4.5", "1.2.3.4."]],
])("the format %s", (name, fits, doesNot) => {
  const matching = [...fits, ...doesNot].filter((text) => FORMATS[name]?.test(text));
  expect(matching).toEqual(fits);
});

test("the format date has every day of 800 years", () => {
  const fits: string[] = [];
  const texts: string[] = [];
  for (let year = 1600; year < 2400; year += 1)
    for (let month = 1; month <= 12; month += 1)
      for (let day = 28; day <= 31; day += 1) {
        const text = `${year}-${String(month).padStart(2, "0")}-${day}`;
        texts.push(text);
        if (new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day) fits.push(text);
      }
  expect(texts.filter((text) => FORMATS["date"]?.test(text))).toEqual(fits);
});
