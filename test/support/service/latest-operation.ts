import type { Api } from './service';

/** Waits until the domain's latest operation is in that state. */
export async function latestOperation(client: Api, domainId: string, state: string): Promise<void> {
  for (;;) {
    const { body } = await client.get(`/api/domains/${domainId}/operations`).expect(200);
    if (body[0]?.state === state) return;
    await new Promise((later) => setTimeout(later, 20));
  }
}
