import { expect, it } from 'vitest';
import { authorizationOf } from '../attacks/authorization-case.ts';
import { gatewayCases } from '../attacks/corpus.ts';
import type { ServiceResponse } from '../../smoke/client.ts';
import { send } from './described-responses.ts';
import { plantsIn } from './plants.ts';
import type { Target } from './target.ts';

/** The header `WWW-Authenticate`, which API Gateway may rename. */
const authenticateHeader = ({ headers }: ServiceResponse): string | undefined =>
  headers['www-authenticate'] ?? headers['x-amzn-remapped-www-authenticate'];

export const describeAccess = (target: () => Target): void => {
  const expectDenied = ({ status, body }: ServiceResponse): void => {
    expect([status, body]).toEqual(target().gateway.forbidden);
  };

  it.each(gatewayCases)('$title', async (request) => {
    const header = authorizationOf(request, target().issuer);
    const response = await send(
      target().baseUrl,
      '/plants',
      header === undefined ? {} : { authorization: header },
    );
    if (request.decision === 'allowed') expect(plantsIn(response)).toEqual([]);
    else if (request.decision === 'no-identity')
      expect([response.status, response.body]).toEqual([401, { message: 'Unauthorized' }]);
    else expectDenied(response);
  });

  it('rejects a token that has expired since it was accepted', async () => {
    const exp = Math.floor(Date.now() / 1000) + 5;
    const authorization = `Bearer ${target().issuer.token({ claims: { exp } })}`;
    const list = (): Promise<ServiceResponse> => send(target().baseUrl, '/plants', { authorization });
    expect((await list()).status).toBe(200);
    await expect.poll(async () => (await list()).status, { interval: 500, timeout: 20_000 }).not.toBe(200);
    // The function rejects the token if the gateway has cached the authorizer's decision, otherwise the
    // authorizer denies it.
    const response = await list();
    if (response.status === 401) {
      expect(response).toMatchObject({ body: { error: 1004 } });
      expect(authenticateHeader(response)).toBe('Bearer');
    } else expectDenied(response);
  });
};
