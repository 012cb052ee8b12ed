import { parseTransferLines } from '../../../../../src/domain/registration/transfers/transfer-lines';

const of = (text: string) => parseTransferLines(text).lines.map(({ line, name, authCode }) => [line, name, authCode]);

describe('lines of names and auth codes', () => {
  it.each([
    ['a comma', 'one.com,Sesame-1', 'Sesame-1'],
    ['a comma and a space', 'one.com, Sesame-1 ', 'Sesame-1'],
    ['a semicolon', 'one.com;Sesame-1', 'Sesame-1'],
    ['a tab', 'one.com\tSesame-1', 'Sesame-1'],
    ['spaces', 'one.com   Sesame-1', 'Sesame-1'],
    ['spaces before a comma', 'one.com , Sesame-1', 'Sesame-1'],
    ['a comma, with commas in the code', 'one.com,a,b;c d', 'a,b;c d'],
    ['a comma, both quoted', '"one.com","say ""please"", twice"', 'say "please", twice'],
    ['a comma, the code quoted', 'one.com,"a,b"', 'a,b'],
  ])('are separated by %s', (_how, text, code) => {
    expect(of(text)).toEqual([[1, 'one.com', code]]);
  });

  it('may have no code, for registries that ask for none', () => {
    expect(of('one.co.uk\ntwo.co.uk,')).toEqual([
      [1, 'one.co.uk', ''],
      [2, 'two.co.uk', ''],
    ]);
  });

  it('keep their numbers beside empty lines, comments, a byte order mark and any line ends', () => {
    expect(of('\u{FEFF}# my names\r\n\r\none.com,A\rMÜNCHEN.de,B\n\n')).toEqual([
      [3, 'one.com', 'A'],
      [4, 'xn--mnchen-3ya.de', 'B'],
    ]);
  });

  it.each([
    ['Domain Name,Expires,Auth Code\none.com,2027-01-01,"A,1"', 'A,1'],
    ['"EPP code";"Domain"\n"A;1";one.com', 'A;1'],
    ['name\tauth_code\none.com\tA 1', 'A 1'],
    ['domain\none.com', ''],
  ])('are found by the titles of a CSV file', (text, code) => {
    expect(of(text)).toEqual([[2, 'one.com', code]]);
  });

  it('that cannot be read are reported by their numbers, without their text, which may be an auth code', () => {
    const { lines, issues } = parseTransferLines('one.com,A\nS3cret!,two.com\nONE.com,B');

    expect(lines).toHaveLength(1);
    expect(issues).toEqual([
      { line: 2, message: expect.stringContaining('must be a domain name') },
      { line: 3, message: 'has the name of line 1 again' },
    ]);
    expect(JSON.stringify(issues)).not.toContain('S3cret');
  });
});
