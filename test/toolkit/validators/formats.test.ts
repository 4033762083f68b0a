import { expect, test } from "vitest";
import { FORMATS } from "../../../scripts/emit/validators/formats.js";

test.each<[format: string, fits: string[], doesNot: string[]]>([
  [
    "uuid",
    ["0191d5a2-9c40-7f7e-8d21-64b1f0a7c915", "0191D5A2-9C40-7F7E-8D21-64B1F0A7C915"],
    ["0191d5a29c407f7e8d2164b1f0a7c915", "g191d5a2-9c40-7f7e-8d21-64b1f0a7c915"],
  ],
  ["date", ["2024-02-29", "2024-12-31"], ["2024-13-01", "2024-01-32", "2024-1-1", "2024-01-01T00:00:00Z"]],
  [
    "date-time",
    ["2024-12-31T23:59:60Z", "2024-01-01t00:00:00.123z", "2024-01-01T00:00:00-23:59"],
    ["2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:61Z", "2024-01-01T00:00:00"],
  ],
  ["email", ["a@b", "a.b+c@d.example"], ["a", "a@", "a@b..c", "a b@c", "a@b@c"]],
  ["ipv4", ["0.0.0.0", "255.255.255.255"], ["256.0.0.1", "08.01.1.1", "1.2.3", "1.2.3.4.5", "1.2.3.4."]],
])("the format %s", (name, fits, doesNot) => {
  const matching = [...fits, ...doesNot].filter((text) => FORMATS[name]?.test(text));
  expect(matching).toEqual(fits);
});
