import { partsOf, type SigningKey } from '../support/tokens.ts';
import { changed, type Entry, type MakeToken, sent, tokens } from './entry.ts';
import { attackerEc, attackerEd, attackerRsa, ec, ed } from './keys.ts';

/** A token with this many zero bytes as its signature. */
const withZeros =
  (bytes: number, signer?: SigningKey): MakeToken =>
  ({ key, token }) => {
    const [header, payload] = partsOf(token({ key: signer ?? key }));
    return `${header}.${payload}.${Buffer.alloc(bytes).toString('base64url')}`;
  };

export const signatureEntries: readonly Entry[] = [
  ...sent([
    ...changed('signature', {
      'the signature of an attacker': { key: attackerRsa, header: { kid: '$kid' } },
    }),
    ...tokens('signature', {
      'the claims of another token': ({ token }) => {
        const [header, , signature] = partsOf(token());
        return `${header}.${partsOf(token({ claims: { sub: 'somebody else' } }))[1]}.${signature}`;
      },
      'a signature of zeros': withZeros(256),
    }),
  ]),
  ...tokens('signature', {
    'the header of another token': ({ token }) => {
      const [, payload, signature] = partsOf(token({ header: { typ: undefined } }));
      return `${partsOf(token())[0]}.${payload}.${signature}`;
    },
    'an ES256 signature of zeros': withZeros(64, ec),
    'an EdDSA signature of zeros': withZeros(64, ed),
  }),
  ...changed('signature', {
    'an ES256 signature of an attacker': { key: attackerEc },
    'an EdDSA signature of an attacker': { key: attackerEd },
    'an RSA signature under ES256': { header: { alg: 'ES256', kid: ec.kid } },
    'an ES256 signature under RS256': { key: ec, header: { alg: 'RS256', kid: '$kid' } },
  }),
  ...changed('allowed', {
    'a valid token with ES256': { key: ec },
    'a valid token with EdDSA': { key: ed },
  }),
];
