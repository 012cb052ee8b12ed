import { readTemplate } from '../../../../../src/domain/domain-connect/templates/read-template';
import { TemplateRejected } from '../../../../../src/domain/domain-connect/templates/template-errors';
import { templateJson } from '../../../../support/data/domain-connect-templates';

function issuesOf(json: unknown): readonly string[] {
  try {
    readTemplate(json);
  } catch (error) {
    if (!(error instanceof TemplateRejected)) throw error;
    expect(error.problem).toBe('INVALID_TEMPLATE');
    return error.issues.map(({ path, message }) => `${path} ${message}`.trim());
  }
  return [];
}

const A = { type: 'A', host: '@', pointsTo: '192.0.2.1', ttl: 3600 };

it('reads a template with every member of the schema', () => {
  const json = templateJson([A], {
    version: 3,
    logoUrl: 'https://provider.example/logo.svg',
    description: 'Web site',
    variableDescription: '%ip% is an address',
    syncBlock: true,
    shared: false,
    sharedProviderName: true,
    sharedServiceName: true,
    syncPubKeyDomain: 'Keys.Provider.example',
    syncRedirectDomain: 'provider.example, *.app.provider.example,',
    multiInstance: true,
    warnPhishing: true,
    hostRequired: true,
  });

  expect(readTemplate(json)).toEqual({
    providerId: 'provider.example',
    providerName: 'Provider',
    serviceId: 'web',
    serviceName: 'Web site',
    version: 3,
    logoUrl: 'https://provider.example/logo.svg',
    description: 'Web site',
    variableDescription: '%ip% is an address',
    syncBlock: true,
    sharedProviderName: true,
    sharedServiceName: true,
    syncPubKeyDomain: 'keys.provider.example',
    syncRedirectDomains: ['provider.example', '*.app.provider.example'],
    multiInstance: true,
    warnPhishing: true,
    hostRequired: true,
    records: [
      {
        type: 'A',
        host: '@',
        data: '192.0.2.1',
        dataField: 'pointsTo',
        ttl: '3600',
        txtConflict: { mode: 'None' },
        essential: 'Always',
      },
    ],
  });
});

it('counts the old member "shared" as sharedProviderName', () => {
  expect(readTemplate(templateJson([A], { shared: true })).sharedProviderName).toBe(true);
});

it('reads types in lower case and ignores members that the schema does not have', () => {
  const { records } = readTemplate(templateJson([{ ...A, type: 'a', comment: 1, priority: 'x' }], { extra: {} }));

  expect(records.map(({ type, priority }) => ({ type, priority }))).toEqual([{ type: 'A', priority: undefined }]);
});

it.each([
  ['a text', 'template', ['must be an object']],
  ['an array', [], ['must be an object']],
  ['null', null, ['must be an object']],
])('refuses %s', (_what, json, expected) => {
  expect(issuesOf(json)).toEqual(expect.arrayContaining(expected));
});

it.each([
  ['no provider', { providerId: undefined }, 'providerId is required'],
  ['an empty name', { serviceName: '' }, 'serviceName is required'],
  ['a number as a name', { providerName: 7 }, 'providerName must be a string of at most 200 characters'],
  [
    'a service id with a slash',
    { serviceId: 'a/b' },
    'serviceId may contain letters, digits, dots, hyphens and underscores only',
  ],
  ['a text as a flag', { hostRequired: 'yes' }, 'hostRequired must be true or false'],
  ['a fraction as a version', { version: 1.5 }, 'version must be an integer'],
  [
    'a logo that is a script',
    { logoUrl: 'javascript:alert(1)' },
    'logoUrl must be a URL that starts with https:// or http://',
  ],
  ['a key at no domain', { syncPubKeyDomain: 'keys' }, 'syncPubKeyDomain must be a domain name'],
  [
    'a redirect to a URL',
    { syncRedirectDomain: 'https://evil.example' },
    'syncRedirectDomain must be a list of domain names with commas between them',
  ],
  ['no records', { records: undefined }, 'records must be an array'],
  ['records that are an object', { records: {} }, 'records must be an array'],
  [
    'a description of 100 kB',
    { description: 'x'.repeat(100_000) },
    'description must be a string of at most 4000 characters',
  ],
  ['101 records', { records: Array.from({ length: 101 }, () => A) }, 'records must have at most 100 items'],
])('refuses a template with %s', (_what, members, expected) => {
  expect(issuesOf(templateJson([A], members))).toEqual([expected]);
});

it.each([
  ['no type', { ...txt(), type: undefined }, 'records[0].type is required'],
  ['a type that is no word', { ...txt(), type: '!A' }, 'records[0].type must be the name of a record type'],
  ['no host', { ...A, host: undefined }, 'records[0].host is required'],
  ['no address', { ...A, pointsTo: undefined }, 'records[0].pointsTo is required'],
  ['no TTL', { ...A, ttl: undefined }, 'records[0].ttl is required'],
  ['a negative TTL', { ...A, ttl: -1 }, 'records[0].ttl must be an integer or one %variable%'],
  ['a TTL of two variables', { ...A, ttl: '%a%%b%' }, 'records[0].ttl must be an integer or one %variable%'],
  ['a TTL of digits and a variable', { ...A, ttl: '1%v%' }, 'records[0].ttl must be an integer or one %variable%'],
  [
    'a variable without end',
    { ...A, host: '%sub' },
    'records[0].host has a % that neither starts nor ends a %variable%',
  ],
  [
    'a variable without name',
    { ...A, pointsTo: '%%' },
    'records[0].pointsTo has a % that neither starts nor ends a %variable%',
  ],
  ['a variable as its group', { ...A, groupId: '%g%' }, 'records[0].groupId cannot have variables'],
  [
    'an essential that the draft does not know',
    { ...A, essential: 'No' },
    'records[0].essential must be Always or OnApply',
  ],
  ['an MX without priority', { ...A, type: 'MX' }, 'records[0].priority is required'],
  ['an SRV without port', { ...srv(), port: undefined }, 'records[0].port is required'],
  ['an SRV without service', { ...srv(), service: undefined }, 'records[0].service is required'],
  ['SPFM without rules', { type: 'SPFM', host: '@' }, 'records[0].spfRules is required'],
  [
    'a TXT conflict mode that the draft does not know',
    { ...txt(), txtConflictMatchingMode: 'Some' },
    'records[0].txtConflictMatchingMode must be None, All or Prefix',
  ],
  [
    'a TXT prefix that is missing',
    { ...txt(), txtConflictMatchingMode: 'Prefix' },
    'records[0].txtConflictMatchingPrefix is required for the mode Prefix',
  ],
  [
    'an APEXCNAME at a name below',
    { ...A, type: 'APEXCNAME', host: 'www' },
    'records[0].host must be @ or absent for APEXCNAME',
  ],
  [
    'a CNAME at the applied name, although the template needs no host',
    { ...A, type: 'CNAME' },
    'records[0].host can be @ for CNAME only if hostRequired is true',
  ],
  [
    'an NS at the applied name, although the template needs no host',
    { ...A, type: 'NS', host: '' },
    'records[0].host can be @ for NS only if hostRequired is true',
  ],
])('refuses a record with %s', (_what, record, expected) => {
  expect(issuesOf(templateJson([record]))).toEqual([expected]);
});

it('names each invalid part of a template', () => {
  const json = templateJson([A, { ...A, ttl: null }, 'record'], { providerId: 'a b' });

  expect(issuesOf(json)).toEqual(
    expect.arrayContaining([
      'providerId may contain letters, digits, dots, hyphens and underscores only',
      'records[1].ttl must be an integer or one %variable%',
      'records[2] must be an object',
    ]),
  );
});

it.each(['__proto__', 'constructor', 'toString'])(
  'does not take %s of all objects for a member of a template',
  (name) => {
    const record = JSON.parse(
      `{"type":"A","host":"@","pointsTo":"192.0.2.1","ttl":60,"${name}":{"groupId":"g"}}`,
    ) as unknown;

    expect(readTemplate(templateJson([record])).records[0]?.groupId).toBeUndefined();
  },
);

function srv() {
  return {
    type: 'SRV',
    name: '@',
    service: '_sip',
    protocol: '_tls',
    priority: 1,
    weight: 1,
    port: 5061,
    target: 'sip.provider.example',
    ttl: 3600,
  };
}

function txt() {
  return { type: 'TXT', host: '@', data: 'text', ttl: 3600 };
}
