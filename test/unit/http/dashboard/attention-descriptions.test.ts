import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { describeDifference } from '../../../../src/http/dashboard/overview/attention-descriptions';
import { SecondariesPage } from '../../../../src/http/dashboard/nameservers/secondaries-page';

const NO_SECONDARIES = { secondaries: [], keys: [], primary: undefined, catalogZone: 'catalog.test' };

it('sends people to the operator about a difference from the registry, and names no command that they cannot run', () => {
  const { text } = describeDifference({
    registry: 'verisign',
    name: 'example.com',
    kind: 'expiry',
    accountId: 'acc_1',
    domainId: 'dom_1',
    ours: '2027-01-01T00:00:00.000Z',
    theirs: '2028-01-01T00:00:00.000Z',
  });

  const page = renderToString(h('p', null, text));

  expect(page).toContain('Ask the operator of this service');
  expect(page).not.toContain('<code>');
});

it('names the commands that add secondaries to the operator alone', () => {
  const [ofOperator, ofOthers] = [true, false].map((withDetails) =>
    renderToString(h(SecondariesPage, { ...NO_SECONDARIES, withDetails })),
  );

  expect(ofOperator).toContain('dns secondary add');
  expect(ofOthers).not.toContain('<code>');
  expect(ofOthers).toContain('Ask the operator of this service');
});
