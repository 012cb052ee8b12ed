import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { RecordDraft } from '../../../src/domain/dns/records/dns-record';

const FILE = resolve(__dirname, '../../../../shared/dns/vectors.json');

export const VECTORS_MISSING = existsSync(FILE) ? undefined : `${FILE} is absent`;

export interface Vector extends RecordDraft {
  readonly id: string;
  readonly zone: string;
  readonly existing?: readonly RecordDraft[];
  readonly expected: 'ok' | 'reject';
  readonly confidence: 'hard' | 'policy';
  readonly code?: string;
  readonly canonical_name?: string;
  readonly canonical_rdata?: string;
}

export function recordVectors(): readonly Vector[] {
  return (JSON.parse(readFileSync(FILE, 'utf8')) as { records: readonly Vector[] }).records;
}
