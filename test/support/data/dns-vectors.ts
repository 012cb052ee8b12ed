import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { RecordDraft, RecordValues } from '../../../src/domain/dns/records/dns-record';

const FILE = resolve(__dirname, '../../fixtures/dns/vectors.json.gz');

interface Vector {
  readonly id: string;
  readonly zone: string;
  readonly expected: 'ok' | 'reject';
  readonly confidence: 'hard' | 'policy';
}

export interface RecordVector extends Vector, RecordDraft {
  readonly existing?: readonly RecordDraft[];
  readonly code?: string;
  readonly canonical_name?: string;
  readonly canonical_rdata?: string;
}

export interface ZoneFileVector extends Vector {
  readonly text: string;
  readonly records?: readonly RecordValues[];
  readonly skipped_types?: Readonly<Record<string, number>>;
}

let vectors: { readonly records: readonly RecordVector[]; readonly zonefiles: readonly ZoneFileVector[] } | undefined;

/** Inputs of sixteen other projects with our verdicts; test/fixtures/dns/ORIGIN.md. */
export function dnsVectors(): NonNullable<typeof vectors> {
  return (vectors ??= JSON.parse(gunzipSync(readFileSync(FILE)).toString()) as NonNullable<typeof vectors>);
}
