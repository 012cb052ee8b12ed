/** Times are stored as epoch milliseconds: docs/decisions/0001. */
export function fromMillis(millis: number): Date {
  return new Date(millis);
}

export function fromNullableMillis(millis: number | null): Date | null {
  return millis === null ? null : fromMillis(millis);
}
