import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ICONS } from '../../../../src/http/dashboard/layout/icon';

const ROOT = join(__dirname, '../../../..');
const MAX_FONT_BYTES = 100 * 1_024;

describe('the icons and fonts of the dashboard', () => {
  it('have a symbol for each icon that pages may name, and no other', () => {
    const sprite = readFileSync(join(ROOT, 'public/icons.svg'), 'utf8');

    expect([...sprite.matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id)).toEqual(ICONS.toSorted());
  });

  it('have no icon that no page uses', () => {
    const folder = join(ROOT, 'src/http/dashboard');
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx') && !file.endsWith('icon.tsx'))
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join('\n');

    expect(
      ICONS.filter((name) => !new RegExp(`(icon: '|<Icon name="|icon="|name=\\{[^}]*')${name}['"]`).test(sources)),
    ).toEqual([]);
  });

  it('have fonts of at most 100 KiB together, with their license', () => {
    const folder = join(ROOT, 'public/fonts');
    const fonts = readdirSync(folder).filter((file) => file.endsWith('.woff2'));

    expect(fonts.reduce((bytes, file) => bytes + statSync(join(folder, file)).size, 0)).toBeLessThanOrEqual(
      MAX_FONT_BYTES,
    );
    expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toContain('SIL OPEN FONT LICENSE');
  });
});
