import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseRecordedResponse, type RecordedResponse } from '../../../src/testing/vendor/recorded-responses';

const FIXTURES = resolve(__dirname, '../../fixtures/registrars');

/** A file below a vendor's folder: `getDomain/success.http`. */
export interface RecordedFile extends RecordedResponse {
  readonly file: string;
}

/** The recorded responses of a vendor, ordered by file name. */
export function recordedFiles(vendor: string): readonly RecordedFile[] {
  const folder = join(FIXTURES, vendor);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.http'))
    .toSorted()
    .map((file) => ({ file, ...parseRecordedResponse(readFileSync(join(folder, file), 'utf8')) }));
}

/** Recorded responses by the folder that they are in. */
export function recordingsByFolder(vendor: string): Readonly<Record<string, readonly RecordedResponse[]>> {
  const byFolder: Record<string, RecordedResponse[]> = {};
  for (const recorded of recordedFiles(vendor)) (byFolder[basename(dirname(recorded.file))] ??= []).push(recorded);
  return byFolder;
}
