/** An operation of a client: when it was sent and when it was answered, on one clock. */
interface Interval {
  readonly sent: number;
  /** Infinity when it was not answered: it may have taken effect at any time since, or never. */
  readonly answered: number;
}

/** An appended mark; marks are unique. */
export interface Append extends Interval {
  readonly mark: string;
}

/** A list as it was read. */
export interface ListRead extends Interval {
  readonly marks: readonly string[];
}

/**
 * Looks for what no order of the operations can explain, if each took effect at one moment between its beginning and its
 * end: marks that are lost, twice or from nowhere, reads that do not agree about the order, or that are behind the time.
 *
 * @param final all marks in the end
 */
export function listAnomalies(
  appends: readonly Append[],
  reads: readonly ListRead[],
  final: readonly string[],
): string[] {
  const anomalies: string[] = [];
  const byMark = new Map(appends.map((append) => [append.mark, append]));
  const place = new Map<string, number>();
  for (const [index, mark] of final.entries()) {
    if (place.has(mark)) anomalies.push(`${mark} is there twice`);
    if (!byMark.has(mark)) anomalies.push(`${mark} was never appended`);
    place.set(mark, index);
  }
  for (const { mark, answered } of appends) {
    if (answered < Infinity && !place.has(mark)) anomalies.push(`${mark} is lost`);
  }
  // In time: what was answered before another was sent is before it. Looked for from the end, against the earliest answer.
  let earliest: Append | undefined;
  for (const mark of final.toReversed()) {
    const append = byMark.get(mark);
    if (append === undefined) continue;
    if (earliest !== undefined && earliest.answered < append.sent) {
      anomalies.push(`${earliest.mark} was answered before ${append.mark} was sent, and is behind it`);
    }
    if (earliest === undefined || append.answered < earliest.answered) earliest = append;
  }
  const acknowledged = appends.filter(({ answered }) => answered < Infinity);
  for (const read of reads) {
    if (read.marks.some((mark, index) => final[index] !== mark)) {
      anomalies.push(`a read of ${read.marks.length} marks is no beginning of the final list`);
      continue;
    }
    const seen = read.marks.length;
    for (const { mark, answered } of acknowledged) {
      if (answered < read.sent && (place.get(mark) ?? -1) >= seen) {
        anomalies.push(`a read that was sent after ${mark} was answered does not see it`);
      }
    }
    const last = byMark.get(read.marks.at(-1) ?? "");
    if (last && last.sent > read.answered) anomalies.push(`a read saw ${last.mark} before it was sent`);
  }
  return anomalies;
}

/** A value that was written to a register, or read from it; written values are unique, null is its first one. */
export interface Access extends Interval {
  readonly value: number | null;
}

/**
 * Looks for reads of a register that no order of the operations explains: of values from nowhere or from the future, and of
 * such that another one had taken the place of before the read was sent.
 */
export function registerAnomalies(writes: readonly Access[], reads: readonly Access[]): string[] {
  const anomalies: string[] = [];
  const all: readonly Access[] = [{ value: null, sent: -Infinity, answered: -Infinity }, ...writes];
  const byValue = new Map(all.map((write) => [write.value, write]));
  for (const read of reads) {
    const write = byValue.get(read.value);
    if (write === undefined) anomalies.push(`${read.value} was read and never written`);
    else if (write.sent > read.answered) anomalies.push(`${read.value} was read before it was written`);
    else {
      const later = all.find((other) => other.sent > write.answered && other.answered < read.sent);
      if (later) anomalies.push(`${read.value} was read after ${later.value} had taken its place`);
    }
  }
  // A read that starts after another read has ended must not return an older value.
  for (const first of reads) {
    const before = byValue.get(first.value);
    for (const second of reads) {
      const after = byValue.get(second.value);
      if (!before || !after || before === after || second.sent < first.answered) continue;
      if (after.answered < before.sent) anomalies.push(`${second.value} was read after ${first.value}`);
    }
  }
  return anomalies;
}
