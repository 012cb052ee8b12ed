import type { Api } from './service';

/** Polls until the domain's latest operation has one of these states. */
export async function waitForOperation(client: Api, domainId: string, ...states: readonly string[]): Promise<void> {
  for (;;) {
    const { body } = await client.get(`/api/domains/${domainId}/operations`).expect(200);
    if (states.includes(body[0]?.state)) return;
    await new Promise((later) => setTimeout(later, 20));
  }
}
