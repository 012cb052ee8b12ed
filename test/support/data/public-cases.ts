import { readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(__dirname, '../../fixtures/public-cases');

/** The zone of the cases. */
export const CASE_ZONE = 'my-first-name.com';

/** A file of test/fixtures/public-cases, whose README.md says what is right. */
export function publicCase(file: string): string {
  return readFileSync(path.join(FOLDER, file), 'utf8');
}
