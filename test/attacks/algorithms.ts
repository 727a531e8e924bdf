import { keysOfAllAlgorithms, secretKey } from '../support/signing-keys.ts';
import type { AuthorizationCase, StageCases } from './authorization-case.ts';
import { issuersEcKey } from './keys.ts';

export const onlyEs256: StageCases = {
  stage: 'that allows only ES256',
  environment: { TOKEN_ALGORITHMS: 'ES256' },
  cases: [
    { title: 'denies a token with RS256', decision: 'algorithm' },
    { title: 'allows a token with ES256', key: issuersEcKey, decision: 'allowed' },
  ],
};

export const allAlgorithms: StageCases = {
  stage: 'that allows every asymmetric algorithm',
  environment: { TOKEN_ALGORITHMS: keysOfAllAlgorithms.map(({ alg }) => alg).join(',') },
  cases: [
    ...keysOfAllAlgorithms.flatMap((key): readonly AuthorizationCase[] => [
      { title: `allows a token with ${key.alg}`, key, decision: 'allowed' },
      {
        title: `allows a token with ${key.alg} and no kid`,
        header: { kid: undefined },
        key,
        decision: 'allowed',
      },
      {
        title: `denies a token with ${key.alg} and an unknown kid`,
        header: { kid: 'another' },
        key,
        decision: 'unknown-key',
      },
    ]),
    { title: 'denies a MAC', key: secretKey('RS256', 'secret'), decision: 'algorithm' },
    { title: 'denies the algorithm none', header: { alg: 'none' }, decision: 'algorithm' },
    { title: 'denies the algorithm Ed448', header: { alg: 'Ed448' }, decision: 'algorithm' },
  ],
};
