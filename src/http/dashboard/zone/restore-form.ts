import type { Notice } from '../notice';

interface Return {
  readonly version: number;
  /** The version that the zone must still be at. */
  readonly expected: number;
}

/** A form that brings an earlier version of a zone back. */
export function restoring(domainId: string, { version, expected }: Return): NonNullable<Notice['undo']> {
  return { action: `/domains/${domainId}/history/${version}/restore`, fields: { expected: String(expected) } };
}
