import * as fc from 'fast-check';

/** Member names that can pollute prototypes or have broken libraries. */
export const HOSTILE_MEMBERS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'length',
  'toJSON',
  '',
  '0',
  '$ref',
];

const HOSTILE_TEXTS = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202egnp',
  '\ufeff',
  'ﷺ'.repeat(40),
  'x'.repeat(5_000),
  '.',
  '..',
  '../..',
  '@',
  '*',
  '-',
  '%',
  '%00',
  "' OR 1=1 --",
  '${jndi:x}',
  'xn--',
  'xn--a',
  'xn--ls8h',
  'faß.de',
  'a.b.c.d.e',
  '1.2.3.4',
  '::1',
  '+1.5',
  'NaN',
  '1e999',
  'com',
  '.com',
  'com.',
  'google.com',
  '😀.com',
  'true',
  'null',
];

/** Texts that pass the first checks and reach later rules. */
export const PLAUSIBLE_TEXTS = [
  'A',
  'AAAA',
  'CNAME',
  'TXT',
  'NS',
  'SRV',
  'CAA',
  '_sip._tcp',
  'www',
  '192.0.2.1',
  '2001:db8::1',
  '0 issue "ca.example"',
  'name.dev',
  'name.co.uk',
  'bücher.com',
  'dev',
  'ns1.example.org',
];

const ODD_NUMBERS = [
  0,
  -0,
  -1,
  1,
  10,
  11,
  60,
  65_536,
  0.1,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e21,
  1e308,
  Number.MIN_VALUE,
];

/** Numbers that JSON.stringify cannot produce. */
export const RAW_NUMBERS = ['1e999', '-1e999', '9'.repeat(400), `0.${'0'.repeat(400)}1`];

export const text = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map((units) => String.fromCharCode(...units)), // lone surrogates, too
  fc.domain(),
);

export const number = fc.oneof(fc.constantFrom(...ODD_NUMBERS), fc.double({ noNaN: true, noDefaultInfinity: true }));
export const json = fc.oneof(text, number, fc.constantFrom(null, true, false, [], {}, [[]]), fc.jsonValue());
export const member = fc.oneof(fc.constantFrom(...HOSTILE_MEMBERS), text);
