import { hostOf, parseWebhookSettings } from '../../../../../src/domain/access/webhooks/webhook';
import { ValidationError } from '../../../../../src/domain/shared/validation-error';

const parse = (url: string) => parseWebhookSettings({ url }, { allowsHttp: false });
const host = (length: number) =>
  `${'a.'
    .repeat(length)
    .slice(0, length - 4)
    .replace(/\.$/, 'a')}.com`;

describe('the URL of a webhook', () => {
  it('has a host and port that fit into the activity', () => {
    expect(hostOf(parse(`https://${host(253)}/`))).toHaveLength(253);
    expect(hostOf(parse(`https://${host(248)}:8443/`))).toHaveLength(253);
    for (const longer of [`https://${host(254)}/`, `https://${host(253)}:8443/`, `https://${'a'.repeat(1_900)}.com/`])
      expect(() => parse(longer)).toThrow(ValidationError);
  });
});
