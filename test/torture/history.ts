/** The times of a client's operation, on one clock. */
interface Interval {
  readonly sent: number;
  /** Infinity without a response: the operation can have taken effect at any time since it was sent, or never. */
  readonly completed: number;
}

/** The append of a mark to a list; marks are unique. */
export interface Append extends Interval {
  readonly mark: string;
}

/** A read of a list. */
export interface ListRead extends Interval {
  readonly marks: readonly string[];
}

/**
 * Finds violations of linearizability in the history of a list, in which each operation takes effect at one moment between
 * its request and its response: lost, duplicate and unknown marks, reads in different orders, and stale reads.
 *
 * @param final the marks in the list after all operations
 */
export function findListAnomalies(
  appends: readonly Append[],
  reads: readonly ListRead[],
  final: readonly string[],
): string[] {
  const anomalies: string[] = [];
  const byMark = new Map(appends.map((append) => [append.mark, append]));
  const place = new Map<string, number>();
  for (const [index, mark] of final.entries()) {
    if (place.has(mark)) anomalies.push(`${mark} is in the list twice`);
    if (!byMark.has(mark)) anomalies.push(`${mark} was never appended`);
    place.set(mark, index);
  }
  for (const { mark, completed } of appends) {
    if (completed < Infinity && !place.has(mark)) anomalies.push(`${mark} is lost`);
  }
  // An append that completes before another is sent must precede it. Going backwards, compares each append with the
  // earliest completion among the later marks.
  let earliest: Append | undefined;
  for (const mark of final.toReversed()) {
    const append = byMark.get(mark);
    if (append === undefined) continue;
    if (earliest !== undefined && earliest.completed < append.sent) {
      anomalies.push(`${earliest.mark} completed before ${append.mark} was sent, and follows it`);
    }
    if (earliest === undefined || append.completed < earliest.completed) earliest = append;
  }
  const acknowledged = appends.filter(({ completed }) => completed < Infinity);
  for (const read of reads) {
    if (read.marks.some((mark, index) => final[index] !== mark)) {
      anomalies.push(`a read of ${read.marks.length} marks is not a prefix of the final list`);
      continue;
    }
    const seen = read.marks.length;
    for (const { mark, completed } of acknowledged) {
      if (completed < read.sent && (place.get(mark) ?? -1) >= seen) {
        anomalies.push(`a read that was sent after the append of ${mark} completed does not contain it`);
      }
    }
    const last = byMark.get(read.marks.at(-1) ?? "");
    if (last && last.sent > read.completed) anomalies.push(`a read contains ${last.mark} before it was sent`);
  }
  return anomalies;
}

/** A write or read of a register. Written values are unique, and the initial value is null. */
export interface Access extends Interval {
  readonly value: number | null;
}

/**
 * Finds violations of linearizability in reads of a register: unknown values, values that were read before they were
 * written, and stale values.
 */
export function findRegisterAnomalies(writes: readonly Access[], reads: readonly Access[]): string[] {
  const anomalies: string[] = [];
  const all: readonly Access[] = [{ value: null, sent: -Infinity, completed: -Infinity }, ...writes];
  const byValue = new Map(all.map((write) => [write.value, write]));
  for (const read of reads) {
    const write = byValue.get(read.value);
    if (write === undefined) anomalies.push(`${read.value} was read and never written`);
    else if (write.sent > read.completed) anomalies.push(`${read.value} was read before it was written`);
    else {
      const later = all.find((other) => other.sent > write.completed && other.completed < read.sent);
      if (later) anomalies.push(`${read.value} was read after ${later.value} had replaced it`);
    }
  }
  // A read that starts after another read has ended must not return an older value.
  for (const first of reads) {
    const before = byValue.get(first.value);
    for (const second of reads) {
      const after = byValue.get(second.value);
      if (!before || !after || before === after || second.sent < first.completed) continue;
      if (after.completed < before.sent) anomalies.push(`${second.value} was read after ${first.value}`);
    }
  }
  return anomalies;
}
