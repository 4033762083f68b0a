/** Texts and numbers that are difficult to encode. A sample uses those that its schema allows. */
export const TEXTS: readonly string[] = [
  "plain",
  "a b  c",
  "/?#[]@!$&'()*+,;=%",
  "ünïcødé 漢字 🚀",
  "",
  '100% & "more" <\'`\\|^{}~',
  "%2F%20%zz",
  "null",
  "true",
  "007",
  "a.b-c_d~e",
  "-1.5e3",
  "tab\tand\nline",
  "__proto__",
];

export const NUMBERS: readonly number[] = [
  1,
  0,
  -1,
  42,
  0.5,
  -0.125,
  1e21,
  5e-7,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
];

/** Names of additional properties. */
export const NAMES: readonly string[] = ["extra", "a b", "__proto__", "constructor", "ключ", "x.y[z]"];

/** A few values for each format with a fixed notation. */
export const FORMATS: Readonly<Record<string, readonly string[]>> = {
  date: ["2026-02-28", "1999-12-31"],
  "date-time": ["2026-02-28T23:59:59Z", "2026-01-01T00:00:00.123+05:30"],
  "date-time-rfc1123": ["Sun, 06 Nov 1994 08:49:37 GMT"],
  time: ["23:59:59Z", "00:00:00+01:00"],
  duration: ["P1DT2H", "PT15M"],
  uuid: ["3f2504e0-4f89-41d3-9a0c-0305e82c3301", "00000000-0000-4000-8000-000000000000"],
  email: ["a@example.org", "first.last+tag@sub.example.org"],
  "idn-email": ["a@example.org"],
  hostname: ["example.org", "a-b.example.org"],
  "idn-hostname": ["example.org"],
  ipv4: ["127.0.0.1", "255.255.255.255"],
  ipv6: ["::1", "2001:db8::8a2e:370:7334"],
  ip: ["127.0.0.1"],
  uri: ["https://example.org/a?b=c&d=%20#e", "urn:isbn:0451450523"],
  url: ["https://example.org/a?b=c&d=%20#e"],
  "uri-reference": ["/a/b?c#d", "https://example.org/"],
  iri: ["https://example.org/ü"],
  "iri-reference": ["/ü"],
  "uri-template": ["/a/{b}"],
  "json-pointer": ["/a/b~1c", ""],
  "relative-json-pointer": ["0/a"],
  regex: ["^a+$"],
  byte: ["AAECAw==", "aGVsbG8="],
};
