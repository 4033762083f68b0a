/**
 * Welch's t of two samples, without what chance and the machine made slow: the slowest tenth of both together. From 4.5 on
 * the two are told apart by their times.
 */
export function welchT(one: readonly number[], other: readonly number[]): number {
  const all = Float64Array.from([...one, ...other]).sort();
  const most = all[Math.floor(all.length * 0.9)] ?? Infinity;
  const [a, b] = [describe(one, most), describe(other, most)];
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count);
}

function describe(values: readonly number[], most: number) {
  const kept = values.filter((value) => value <= most);
  const mean = kept.reduce((sum, value) => sum + value, 0) / kept.length;
  const variance = kept.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (kept.length - 1);
  return { count: kept.length, mean, variance };
}
