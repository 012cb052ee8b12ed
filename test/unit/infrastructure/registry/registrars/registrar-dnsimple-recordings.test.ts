import { dirname } from 'node:path';
import type { JsonClient } from '../../../../../src/adapter';
import { DnsimpleClient, DnsimpleError } from '../../../../../src/infrastructure/registry/dnsimple/dnsimple-client';
import { recordedFiles, type RecordedFile } from '../../../../support/registrars/recorded-http';

const NAME = 'example.com';
const CONTACT = {
  first_name: 'First',
  last_name: 'User',
  email: 'first@example.com',
  phone: '+18001234567',
  address1: 'Italian Street, 10',
  city: 'Roma',
  state_province: 'RM',
  postal_code: '00100',
  country: 'IT',
};

/** The request of the adapter whose response a folder holds. Folders without one hold requests that it does not send. */
const REQUESTS: Readonly<Record<string, (client: DnsimpleClient) => Promise<unknown>>> = {
  cancelDomainTransfer: (client) => client.cancelTransfer(NAME, 361),
  checkDomain: (client) => client.isAvailable(NAME),
  createContact: (client) => client.createContact(CONTACT),
  createDelegationSignerRecord: (client) => client.addDsRecord(NAME, { algorithm: '13' }),
  createDomain: (client) => client.findDomain(NAME),
  deleteContact: (client) => client.deleteContact(1),
  deleteDelegationSignerRecord: (client) => client.removeDsRecord(NAME, 1),
  disableDomainTransferLock: (client) => client.setLock(NAME, false),
  enableDomainAutoRenewal: (client) => client.setAutoRenewal(NAME, true),
  enableDomainTransferLock: (client) => client.setLock(NAME, true),
  getDomain: (client) => client.findDomain(NAME),
  getDomainDelegation: (client) => client.nameservers(NAME),
  getDomainPrices: (client) => client.prices(NAME),
  getDomainRenewal: (client) => client.renewal(NAME, 1),
  getDomainTransferLock: (client) => client.isLocked(NAME),
  getRegistrantChange: (client) => client.changeRegistrant(NAME, 101),
  getTld: (client) => client.takesKeys('com'),
  listContacts: (client) => client.findZoneFile(NAME).catch(() => undefined),
  listDelegationSignerRecords: (client) => client.dsRecords(NAME),
  listDomains: (client) => client.domains(1),
  registerDomain: (client) => client.register(NAME, { registrant_id: 2, auto_renew: false }),
  restoreDomain: (client) => client.restore(NAME, {}),
  transferDomain: (client) => client.transfer(NAME, { registrant_id: 2, auth_code: 'x', auto_renew: false }),
};

/** Rejections whose status is not 400 and which the adapter meets in any request. */
const anyRequest = (client: DnsimpleClient) => client.deleteContact(0);

function clientOf({ status, headers, body }: RecordedFile): DnsimpleClient {
  const http: Pick<JsonClient, 'send'> = {
    send: async () => ({ status, headers: new Headers(headers), body }),
  };
  return new DnsimpleClient(http as JsonClient, '1010');
}

const responses = recordedFiles('dnsimple').filter(({ body }) => typeof body !== 'string');

async function fieldsOf(file: string): Promise<readonly string[] | undefined> {
  const response = responses.find((candidate) => candidate.file === file);
  const error: unknown = response && (await anyRequest(clientOf(response)).catch((cause: unknown) => cause));
  return error instanceof DnsimpleError ? error.fields : undefined;
}

describe('the recorded responses of DNSimple', () => {
  it.each(responses)('$file is read, or is a rejection that names its status', async (response) => {
    const request = REQUESTS[dirname(response.file)] ?? anyRequest;

    const result = await request(clientOf(response)).catch((error: unknown) => error);

    if (response.status < 300) expect(result).not.toBeInstanceOf(Error);
    else expect(result).toMatchObject({ status: response.status, message: expect.any(String) });
  });

  it('name the invalid fields, whether their texts are lists or not', async () => {
    expect(await fieldsOf('registerDomain/error-extended-attributes.http')).toEqual([
      'x-accept-ssl-requirement',
      'x-id-number',
    ]);
    expect(await fieldsOf('transferDomain/error-missing-authcode.http')).toEqual(['base']);
    expect(await fieldsOf('transferDomain/error-indnsimple.http')).toEqual([]);
  });
});
