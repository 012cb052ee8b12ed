import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBackupFolder } from '../../../../src/infrastructure/backup/private-files';
import { MANIFEST, readManifest } from '../../../../src/infrastructure/backup/manifest';

describe('a manifest of a backup', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'namewright-manifest-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([
    ['is empty', '', 'has a damaged manifest.json'],
    ['was cut off', '{"format": 1, "serv', 'has a damaged manifest.json'],
    ['is no object', 'null', 'has a damaged manifest.json'],
    ['lacks its files', '{"format": 1, "taken_at": "2026-11-23T10:00:00Z"}', 'has a damaged manifest.json'],
    ['has a later format', '{"format": 2}', 'has a backup of format 2; this version reads 1'],
  ])('is refused if it %s', (_reason, text, details) => {
    writeFileSync(join(folder, MANIFEST), text);

    expect(() => readManifest(folder)).toThrow(expect.objectContaining({ details: `${folder} ${details}` }));
  });

  it.each([
    ['', 'holds no complete backup: manifest.json is missing'],
    ['elsewhere', 'does not exist'],
  ])('is refused if it is missing in the folder "%s"', (name, details) => {
    const path = join(folder, name);

    expect(() => readManifest(path)).toThrow(expect.objectContaining({ details: `${path} ${details}` }));
  });

  it('is not begun in a folder that cannot be created', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');

    for (const taken of [file, join(file, 'below')])
      expect(() => createBackupFolder(taken)).toThrow(
        expect.objectContaining({ details: expect.stringContaining(`${taken} cannot be created: `) as string }),
      );
  });
});
