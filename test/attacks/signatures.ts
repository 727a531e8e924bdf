import { encodePart, encodeText, partsOf, type SigningKey, textOf } from '../support/tokens.ts';
import { altered, changed, type Entry, type MakeToken, sent, tokens } from './entry.ts';
import { attackerEc, attackerEd, attackerRsa, ec, ed } from './keys.ts';

/** A token with another signature, made of the valid one. */
const signatureOf =
  (replace: (signature: Buffer) => Buffer, signer?: SigningKey): MakeToken =>
  ({ key, token }) => {
    const [header, payload, signature] = partsOf(token({ key: signer ?? key }));
    const bytes = replace(Buffer.from(signature, 'base64url'));
    return `${header}.${payload}.${bytes.toString('base64url')}`;
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
      'a signature of zeros': signatureOf(() => Buffer.alloc(256)),
    }),
  ]),
  ...tokens('signature', {
    'a type added after signing': ({ key, token }) => {
      const [, payload, signature] = partsOf(token({ header: { typ: undefined } }));
      return `${encodePart({ alg: key.alg, kid: key.kid, typ: 'at+jwt' })}.${payload}.${signature}`;
    },
    'a group added to the claims after signing': altered((header, payload, signature) => {
      const claims = textOf(payload).replace('{', '{"groups":["admins"],');
      return `${header}.${encodeText(claims)}.${signature}`;
    }),
    'a signature of one byte': signatureOf(() => Buffer.alloc(1)),
    'a signature without its last byte': signatureOf((signature) => signature.subarray(0, -1)),
    'a signature with a trailing zero byte': signatureOf((signature) =>
      Buffer.concat([signature, Buffer.alloc(1)]),
    ),
    'a signature after a zero byte': signatureOf((signature) => Buffer.concat([Buffer.alloc(1), signature])),
    'an ES256 signature of zeros': signatureOf(() => Buffer.alloc(64), ec),
    'an ES256 signature with r and s swapped': signatureOf(
      (signature) => Buffer.concat([signature.subarray(32), signature.subarray(0, 32)]),
      ec,
    ),
    'an EdDSA signature of zeros': signatureOf(() => Buffer.alloc(64), ed),
  }),
  ...changed('signature', {
    'an ES256 signature of an attacker': { key: attackerEc },
    'an EdDSA signature of an attacker': { key: attackerEd },
    'an RSA signature under ES256': { header: { alg: 'ES256', kid: ec.kid } },
    'an EdDSA signature under ES256': { key: ed, header: { alg: 'ES256', kid: ec.kid } },
    'an ES256 signature under RS256': { key: ec, header: { alg: 'RS256', kid: '$kid' } },
  }),
  ...changed('allowed', {
    'a valid token with ES256': { key: ec },
    'a valid token with EdDSA': { key: ed },
  }),
];
