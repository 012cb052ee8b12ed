import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { FoldedText } from '../../../../src/http/dashboard/layout/folded-text';
import { ListStatus } from '../../../../src/http/dashboard/layout/list-status';
import { ChangedLines } from '../../../../src/http/dashboard/zone/change-view';

const LONG = `v=DKIM1; p=${'A'.repeat(400)}`;

const status = (total?: number) =>
  renderToString(h(ListStatus, { count: 200, nouns: ['record', 'records'], isComplete: false, total }));

describe('long contents', () => {
  it('are folded in lists and in the history, and short ones are not', () => {
    expect(renderToString(h(FoldedText, { text: LONG }))).toContain('show all 411 characters');
    expect(renderToString(h(FoldedText, { text: '192.0.2.1' }))).toBe('<code>192.0.2.1</code>');

    const history = renderToString(h(ChangedLines, { lines: [{ before: 'www A 192.0.2.1', after: `x TXT ${LONG}` }] }));

    expect(history).toContain('</span>www A 192.0.2.1</del>');
    expect(history).toContain('show all 417 characters');
  });
});

describe('the number of items of a list', () => {
  it('has the total of a large zone', () => {
    expect(status(12_345)).toContain('200 of 12,345 records');
    expect(status()).toContain('200 records on this page<');
  });
});
