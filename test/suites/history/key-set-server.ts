import { startFakeServer } from '../../support/fake-server.ts';
import { ecKey, edKey, rsaKey, type SigningKey } from '../../support/tokens.ts';
import { issuerKeys, type IssuerKey, type IssuerState } from './steps.ts';

const keysNamed = (prefix: string): Readonly<Record<IssuerKey, SigningKey>> => ({
  first: rsaKey(`${prefix}first`),
  second: ecKey(`${prefix}second`),
  third: edKey(`${prefix}third`),
});

/** The issuer's keys, and a stranger's of the same types. */
export const signingKeys = { issuer: keysNamed(''), stranger: keysNamed('stranger-') } as const;

/** The server of the issuer's key set. A history sets its `keys` and `state`. */
export interface KeySetServer {
  /** Its URL without a path. */
  readonly origin: string;
  readonly stop: () => Promise<void>;
  /** The keys that it publishes. */
  keys: readonly IssuerKey[];
  state: IssuerState;
  /** How often the key set was fetched. */
  fetches: number;
}

export const startKeySetServer = async (): Promise<KeySetServer> => {
  const { url, close, respond } = await startFakeServer(() =>
    Promise.reject(new Error('It does not respond.')),
  );
  const server: KeySetServer = { origin: url, stop: close, keys: issuerKeys, state: 'works', fetches: 0 };
  respond(() => {
    server.fetches += 1;
    if (server.state === 'does not respond') return Promise.reject(new Error(server.state));
    const keys = server.state === 'works' ? server.keys.map((key) => signingKeys.issuer[key].jwk) : [];
    return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(JSON.stringify({ keys })) });
  });
  return server;
};
