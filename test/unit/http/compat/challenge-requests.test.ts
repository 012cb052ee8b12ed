import { parseAcmeDnsUpdate, parseHttpReq } from '../../../../src/http/compat/acme/challenge-requests';
import { publicCase } from '../../../support/data/public-cases';

const VALUE = 'LHDhK3oGRvkiefQnx7OOczTY5Tic_xZ6HcMOc_gmtoM';

describe('parsing challenges', () => {
  it('reads the default mode of httpreq, with any name that the client resolved', () => {
    expect(parseHttpReq({ fqdn: '_acme-challenge.WWW.example.com.', value: VALUE })).toEqual({
      name: '_acme-challenge.www.example.com',
      value: VALUE,
    });
  });

  it('computes name and value in the RAW mode of httpreq', () => {
    const keyAuth = 'evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA.9jg46WB3rR_AHD-EBXdN7cBkH1WOu0tA3M9fm21mqTI';
    const raw = { domain: '*.bücher.example', token: 'evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA', keyAuth };

    expect(parseHttpReq(raw)).toEqual({
      name: '_acme-challenge.xn--bcher-kva.example',
      value: 'lCM7cZyQXcVHK2nnW3jjAhNT3Fvm18UN-kWZZknKoYM',
    });
  });

  it('reads an update of acme-dns, whose subdomain is the name of the certificate', () => {
    expect(parseAcmeDnsUpdate({ subdomain: 'Example.com', txt: VALUE })).toEqual({
      name: '_acme-challenge.example.com',
      value: VALUE,
    });
  });

  it('takes the name of the challenge for the name of the certificate in a public case', () => {
    const [, subdomain] = /"subdomain":"([^"]+)"/.exec(publicCase('52-acme-dns-prefix.txt')) ?? [];

    expect(parseAcmeDnsUpdate({ subdomain, txt: VALUE }).name).toBe('_acme-challenge.shop.my-first-name.com');
  });

  it.each(['_acme-challenge.shop.example.com', '_ACME-challenge.Shop.example.com.', 'shop.example.com'])(
    'takes the name of the challenge for the name of the certificate: %s',
    (name) => {
      const keyAuth = `a.${VALUE}`;

      expect(parseAcmeDnsUpdate({ subdomain: name, txt: VALUE }).name).toBe('_acme-challenge.shop.example.com');
      expect(parseHttpReq({ domain: name, token: 'a', keyAuth }).name).toBe('_acme-challenge.shop.example.com');
    },
  );

  it('reads an update of the Go client of acme-dns, which lego and cert-manager use', () => {
    expect(parseAcmeDnsUpdate({ SubDomain: 'example.com', Txt: VALUE })).toEqual({
      name: '_acme-challenge.example.com',
      value: VALUE,
    });
  });

  it.each([
    undefined,
    null,
    [],
    {},
    { fqdn: 'localhost', value: VALUE },
    { fqdn: 7, value: VALUE },
    { fqdn: 'a.example.com', value: `${VALUE}"` },
    { domain: 'example.com', keyAuth: 'x' },
    { domain: 'x', keyAuth: `a.${VALUE}` },
  ])('rejects %j for httpreq', (body) => {
    expect(() => parseHttpReq(body)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });

  it('names every invalid member of an acme-dns update', () => {
    expect(() => parseAcmeDnsUpdate({ subdomain: 'c36f50e8-4632-44f0-83fe-e070fef28a10', txt: 'short' })).toThrow(
      expect.objectContaining({
        issues: [expect.objectContaining({ path: 'subdomain' }), expect.objectContaining({ path: 'txt' })],
      }),
    );
  });
});
