/** Times are stored as epoch milliseconds. */
export function fromMillis(millis: number): Date {
  return new Date(millis);
}

export function fromNullableMillis(millis: number | null): Date | null {
  return millis === null ? null : fromMillis(millis);
}
