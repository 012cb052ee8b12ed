import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { RecordedResponse } from '../../../src/testing/vendor/recorded-responses';
import type { OpenApiDocument } from '../../../src/testing/vendor/vendor-document';
import { recordingsByFolder } from './recorded-http';

/** The interface of the operations that the adapter uses; README.md beside it says where it comes from. */
const DOCUMENT = resolve(__dirname, '../../fixtures/registrars/dnsimple/interface.json');

/** The folders of the recordings, by operation, where their names differ. */
const FOLDERS: Readonly<Record<string, string>> = {
  domainRenew: 'getDomainRenewal',
  domainRestore: 'restoreDomain',
  getDomainRestore: 'restoreDomain',
  getDomainTransfer: 'transferDomain',
  getDomainRegistration: 'registerDomain',
  getContact: 'createContact',
  createRegistrantChange: 'getRegistrantChange',
  changeDomainDelegation: 'getDomainDelegation',
  disableDomainAutoRenewal: 'enableDomainAutoRenewal',
  listDomainDelegationSignerRecords: 'listDelegationSignerRecords',
  createDomainDelegationSignerRecord: 'createDelegationSignerRecord',
  deleteDomainDelegationSignerRecord: 'deleteDelegationSignerRecord',
};

let document: OpenApiDocument | undefined;

export function dnsimpleDocument(): OpenApiDocument {
  return (document ??= withPages(JSON.parse(readFileSync(DOCUMENT, 'utf8')) as OpenApiDocument));
}

/** The recorded responses by operation. */
export function dnsimpleRecordings(): Readonly<Record<string, readonly RecordedResponse[]>> {
  const recordings = recordingsByFolder('dnsimple');
  const operations = [...Object.keys(recordings), ...Object.keys(FOLDERS)];
  return Object.fromEntries(
    operations.map((operation) => [operation, recordings[FOLDERS[operation] ?? operation] ?? []]),
  );
}

/** The document defines the parameters of pages and forgets to refer to them; its general part describes them. */
function withPages(document: OpenApiDocument): OpenApiDocument {
  const pages = [
    { $ref: '#/components/parameters/PaginationPage' },
    { $ref: '#/components/parameters/PaginationPerPage' },
  ];
  for (const path of ['/{account}/domains', '/{account}/domains/{domain}/ds_records', '/{account}/billing/charges']) {
    const { get } = document.paths[path] as { get: { parameters: object[] } };
    get.parameters.push(...pages);
  }
  return document;
}
