import type { UsageKind } from '../ports/storage/daily-usage';

/** Bytes that an account may use each day; 0 switches a ceiling off. */
export type CeilingSettings = Readonly<Record<UsageKind, number>>;
export const CeilingSettings = Symbol('CeilingSettings');
