import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The value of a YAML file, kept as JSON in the temporary folder: parsing a large one takes each suite about a second. */
export function parsedYaml(path: string): unknown {
  const text = readFileSync(path, 'utf8');
  const kept = join(tmpdir(), `namewright-yaml-${createHash('sha256').update(text).digest('hex')}.json`);
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8'));
  const value: unknown = parse(text, { maxAliasCount: -1 });
  // Renamed, so that another process never reads half of it.
  writeFileSync(`${kept}.${process.pid}`, JSON.stringify(value));
  renameSync(`${kept}.${process.pid}`, kept);
  return value;
}
