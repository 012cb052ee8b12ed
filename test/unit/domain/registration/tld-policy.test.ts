import { DomainName } from '../../../../src/domain/shared/domain-name';
import { assertIdnLanguage, idnLanguagesOf } from '../../../../src/domain/registration/names/tld-policy';
import { policyOf } from '../../../../src/infrastructure/registry/tld-rules';

const idnLanguages = { Latin: ['GER', 'FRE'], Cyrillic: ['RUS'] };
const policy = { ...policyOf({ suffix: 'com' }), idnLanguages };
const languagesOf = (name: string, of = policy) => idnLanguagesOf(DomainName.parse(name), of);

describe('the languages of an internationalized name', () => {
  it('are those of the script of its first letter that is not ASCII', () => {
    expect(languagesOf('münchen.com')).toEqual(['GER', 'FRE']);
    expect(languagesOf('a1-пример.com')).toEqual(['RUS']);
    expect(languagesOf('例え.com')).toEqual([]);
  });

  it('do not exist for an ASCII name, and at a registry that asks for none', () => {
    expect(languagesOf('example.com')).toBeUndefined();
    expect(idnLanguagesOf(DomainName.parse('münchen.com'), policyOf({ suffix: 'com' }))).toBeUndefined();
  });

  it.each([
    ['münchen.com', 'FRE', undefined],
    ['münchen.com', undefined, undefined],
    ['münchen.com', 'RUS', 'must be one of GER, FRE'],
    ['例え.com', 'JPN', undefined],
    ['例え.com', 'J', 'must be a language tag'],
    ['例え.com', 'ja JP', 'must be a language tag'],
    ['example.com', 'GER', 'must be absent'],
  ])('%s with %s: %s', (name, language, issue) => {
    const validate = () => assertIdnLanguage(language, DomainName.parse(name), policy);

    if (issue === undefined) expect(validate).not.toThrow();
    else
      expect(validate).toThrow(expect.objectContaining({ details: expect.stringContaining(`idn_language ${issue}`) }));
  });
});
