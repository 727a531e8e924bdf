import { generate } from 'selfsigned';

// The key length of AWS endpoints, so that a TLS handshake costs as much as there.
const rsa2048 = { keyType: 'rsa', keySize: 2048, algorithm: 'sha256' } as const;

/**
 * Makes a certificate authority for this run, and a certificate for a server on an IP address.
 * @returns PEM text
 */
export const makeCertificates = async (
  address: string,
): Promise<Readonly<Record<'authority' | 'certificate' | 'key', string>>> => {
  const authority = await generate([{ name: 'commonName', value: 'Plant Store benchmark' }], {
    ...rsa2048,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  const server = await generate([{ name: 'commonName', value: address }], {
    ...rsa2048,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: address }] },
    ],
  });
  return { authority: authority.cert, certificate: server.cert, key: server.private };
};
