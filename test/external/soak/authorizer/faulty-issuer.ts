import { createServer, type Server, type ServerResponse } from 'node:http';
import { ecKey, edKey, rsaKey, secretKey, type SigningKey } from '../../../support/tokens.ts';

/** The keys that an issuer signs with at the same time. */
export interface Generation {
  /** Counts the rotations. */
  readonly number: number;
  readonly rsa: SigningKey;
  readonly ec: SigningKey;
  readonly ed: SigningKey;
}

/** Responds to a fetch of the key set, or does not. */
type Respond = (keys: readonly SigningKey[], response: ServerResponse) => void;

const keySet = (keys: readonly SigningKey[]): string => JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });

const send =
  (body: (keys: readonly SigningKey[]) => string, status = 200): Respond =>
  (keys, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body(keys));
  };

const manyKeys = Array.from({ length: 1500 }, (_, index) => ecKey(`many-${String(index)}`));
const secret = secretKey('secret', 'x'.repeat(32));

/** What happens to a fetch of the key set. */
const behaviours = {
  good: send(keySet),
  /** 300 KB. */
  many: send((keys) => keySet([...keys, ...manyKeys])),
  fails: send(keySet, 500),
  redirects: (_keys, response) => {
    response.writeHead(302, { location: '/elsewhere' }).end();
  },
  empty: send(() => '{"keys":[]}'),
  unusable: send(() => keySet([secret])),
  garbage: send(() => '\0\xff{"keys"'),
  html: send(() => '<html></html>'),
  halved: send((keys) => keySet(keys).slice(0, 500)),
  /** The good keys in more than 512 KB. */
  large: send((keys) => keySet(keys).padEnd(600 * 1024)),
  endless: (_keys, response) => {
    const part = Buffer.alloc(64 * 1024, ' ');
    const write = (): void => {
      while (!response.destroyed && response.write(part));
    };
    response.writeHead(200).on('drain', write);
    write();
  },
  resets: (_keys, response) => response.socket?.resetAndDestroy(),
  cut: (keys, response) => {
    response.writeHead(200, { 'content-length': 100_000 });
    response.write(keySet(keys), () => response.destroy());
  },
  silent: () => undefined,
} as const satisfies Readonly<Record<string, Respond>>;

export type Behaviour = keyof typeof behaviours;

/** An issuer whose keys rotate and whose key set can fail. */
export interface FaultyIssuer {
  readonly server: Server;
  /** The keys it signs with now and publishes. */
  readonly keys: () => Generation;
  /** Replaces all keys. */
  readonly rotate: () => void;
  readonly behave: (behaviour: Behaviour) => void;
  /** How often its key set was fetched. */
  readonly fetches: () => number;
}

export const faultyIssuer = (): FaultyIssuer => {
  // Making an RSA key takes 0.1 s.
  const rsaKeys = [rsaKey(''), rsaKey(''), rsaKey('')];
  const generation = (number: number): Generation => {
    const rsa = rsaKeys[number % rsaKeys.length] ?? rsaKey('');
    const kid = `rsa-${String(number)}`;
    return {
      number,
      rsa: { ...rsa, kid, jwk: { ...rsa.jwk, kid } },
      ec: ecKey(`ec-${String(number)}`),
      ed: edKey(`ed-${String(number)}`),
    };
  };
  let current = generation(0);
  let respond: Respond = behaviours.good;
  let fetches = 0;
  const server = createServer((_request, response) => {
    fetches += 1;
    respond([current.rsa, current.ec, current.ed], response);
  });
  return {
    server,
    keys: () => current,
    rotate: () => {
      current = generation(current.number + 1);
    },
    behave: (behaviour) => {
      respond = behaviours[behaviour];
    },
    fetches: () => fetches,
  };
};
