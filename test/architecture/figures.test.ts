import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, parse, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const namesIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);

const BENCH_PARTS = readdirSync(join(ROOT, 'bench'))
  .filter((file) => file.endsWith('.mjs') && file !== 'run.mjs')
  .map((file) => parse(file).name);
const CAMPAIGNS = readdirSync(join(ROOT, 'test/campaign'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => namesIn(read(join('test/campaign', file)), /\bname: '([\w-]+)',\s+unit:/g));
const SCRIPTS = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts);

const PAGES = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !file.startsWith('test/'));
const FIGURES = ['docs/performance.md', 'docs/scaling.md'] as const;
const PART = /^\| `([\w-]+)` \|/gm;
/** An aim with a unit is a maximum. Rows with several aims, or another unit than their figure, are not compared. */
const AIM = /^(at most )?(\d[\d,]*(?:\.\d+)?)(?: (%|ms|s|MiB))?$/;
const FIGURE = /^(\*\*)?(\d[\d,]*(?:\.\d+)?)(?: (%|ms|s|MiB)(?![a-z]))?/;
const toNumber = (text: string): number => Number(text.replaceAll(',', ''));
const ORIGIN = /`npm run (?:bench|campaign) -- |script that is not committed|^\| Part \||\| Command \|$/m;

describe('the figures in the documentation', () => {
  it.each(PAGES)('%s names only npm scripts, parts of the benchmark and campaigns that exist', (page) => {
    const text = read(page);

    expect(BENCH_PARTS).toEqual(expect.arrayContaining(namesIn(text, /npm run bench -- ([a-z][\w-]*)/g)));
    expect([...CAMPAIGNS, 'ci']).toEqual(expect.arrayContaining(namesIn(text, /npm run campaign -- ([a-z][\w-]*)/g)));
    expect(SCRIPTS).toEqual(expect.arrayContaining(namesIn(text, /npm run (?:--silent )?([a-z][\w:-]*)/g)));
  });

  it('are of parts of the benchmark that exist, and of each of them', () => {
    const parts = [
      ...namesIn(read('docs/performance.md'), PART),
      ...namesIn(read('docs/scaling.md'), /npm run bench -- ([\w-]+)/g),
    ];

    expect([...new Set(parts)].toSorted()).toEqual(BENCH_PARTS.toSorted());
  });

  it.each(FIGURES)('%s says for every table which command or script measured it', (page) => {
    const sections = read(page).split(/^(?=##+ )/m);
    const unnamed = sections.flatMap((section) =>
      [...section.matchAll(/(?<before>(?:(?!^\|).*\n)*?)(?<header>^\|.*)\n\|-.*\n(?:\|.*\n?)*/gm)].flatMap(
        ({ groups }) => (ORIGIN.test(`${groups?.['before']}${groups?.['header']}`) ? [] : [groups?.['header']]),
      ),
    );

    expect(unnamed).toEqual([]);
  });

  it('are bold if they miss their aim, and only then', () => {
    const wrong = read('docs/performance.md')
      .split('\n')
      .filter((line) => line.search(PART) === 0)
      .filter((line) => {
        const [, , , sqlite = '', mariadb = '', aim = ''] = line.split('|').map((cell) => cell.trim());
        const [, atMost, limit, unit] = AIM.exec(aim) ?? [];
        return [sqlite, mariadb].some((cell) => {
          const [, bold, figure, figureUnit] = FIGURE.exec(cell) ?? [];
          if (limit === undefined || figure === undefined || figureUnit !== unit) return false;
          const isMet =
            (atMost ?? unit) === undefined ? toNumber(figure) >= toNumber(limit) : toNumber(figure) <= toNumber(limit);
          return isMet === (bold !== undefined);
        });
      });

    expect(wrong).toEqual([]);
  });
});
