export function median(values) {
  return percentile(values, 50);
}

/** The smallest value that at least `percent` % of the values do not exceed. */
export function percentile(values, percent) {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)];
}
