/**
 * Computes Welch's t of two samples without the slowest tenth of both together, which contains outliers. A value of 4.5 or
 * more means that the times distinguish the samples.
 */
export function computeWelchT(one: readonly number[], other: readonly number[]): number {
  const all = Float64Array.from([...one, ...other]).sort();
  const most = all[Math.floor(all.length * 0.9)] ?? Infinity;
  const [a, b] = [summarize(one, most), summarize(other, most)];
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count);
}

function summarize(values: readonly number[], most: number) {
  const kept = values.filter((value) => value <= most);
  const mean = kept.reduce((sum, value) => sum + value, 0) / kept.length;
  const variance = kept.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (kept.length - 1);
  return { count: kept.length, mean, variance };
}
