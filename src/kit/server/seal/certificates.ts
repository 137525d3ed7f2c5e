import {
  createPrivateKey,
  generateKeyPair,
  randomBytes,
  sign,
  X509Certificate,
  type KeyObject,
} from 'node:crypto'
import { promisify } from 'node:util'
import * as asn1 from 'asn1js'
import forge from 'node-forge'
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  Extension,
  Time,
} from 'pkijs'

/** Who signs: the private key never leaves this object, the certificates are DER, the signer's own first. */
export interface Signer {
  readonly key: KeyObject
  readonly certificate: Uint8Array
  readonly chain: readonly Uint8Array[]
  /** The name people see: the certificate's common name or organisation. */
  readonly subject: string
  readonly issuer: string
  readonly validFrom: Date
  readonly validUntil: Date
}

export type CertificateFault =
  | 'wrongPassword'
  | 'notPkcs12'
  | 'noKey'
  | 'noCertificate'
  | 'keyMismatch'
  | 'unsupportedKey'
  | 'expired'
  | 'notYetValid'

/** Why a certificate cannot be used. The code is the word key's end: errors.certificate.<code>. */
export class CertificateError extends Error {
  override name = 'CertificateError'
  readonly code: CertificateFault
  constructor(code: CertificateFault) {
    super(code)
    this.code = code
  }
}

/**
 * Opens a PKCS#12 file (.p12, .pfx), old or new encryption. `at` is the moment it must be valid; left out,
 * validity is only reported, not judged. Throws CertificateError. Takes a tenth of a second, for the password
 * is stretched: open once, not at every document.
 */
export function openPkcs12(bytes: Uint8Array, password: string, at?: Date): Signer {
  let bags: forge.pkcs12.Pkcs12Pfx
  let parsed: forge.asn1.Asn1
  try {
    parsed = forge.asn1.fromDer(forge.util.createBuffer(Buffer.from(bytes).toString('binary')))
  } catch {
    throw new CertificateError('notPkcs12')
  }
  try {
    bags = forge.pkcs12.pkcs12FromAsn1(parsed, password)
  } catch (error) {
    throw new CertificateError(/password|mac|decrypt/i.test(String(error)) ? 'wrongPassword' : 'notPkcs12')
  }
  const { pkcs8ShroudedKeyBag, keyBag, certBag } = forge.pki.oids as Record<string, string>
  const keys = [pkcs8ShroudedKeyBag!, keyBag!].flatMap((type) => bags.getBags({ bagType: type })[type] ?? [])
  const certificates = (bags.getBags({ bagType: certBag! })[certBag!] ?? []).flatMap((bag) => {
    const der = bag.cert
      ? forge.asn1.toDer(forge.pki.certificateToAsn1(bag.cert))
      : bag.asn1
        ? forge.asn1.toDer(bag.asn1)
        : undefined
    return der ? [new Uint8Array(Buffer.from(der.getBytes(), 'binary'))] : []
  })
  const held = keys[0]
  if (!held) throw new CertificateError('noKey')
  if (certificates.length === 0) throw new CertificateError('noCertificate')
  // forge reads RSA keys only; others are left as ASN.1 and node reads them.
  const keyDer = forge.asn1.toDer(
    held.key ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(held.key)) : held.asn1,
  )
  let key: KeyObject
  try {
    key = createPrivateKey({ key: Buffer.from(keyDer.getBytes(), 'binary'), format: 'der', type: 'pkcs8' })
  } catch {
    throw new CertificateError('unsupportedKey')
  }
  return signerOf(key, certificates, at)
}

/**
 * A signer from a key and certificates already in hand, the signer's own anywhere among them. Throws
 * CertificateError.
 */
export function signerOf(key: KeyObject, certificates: readonly Uint8Array[], at?: Date): Signer {
  if (key.asymmetricKeyType !== 'rsa' && key.asymmetricKeyType !== 'ec')
    throw new CertificateError('unsupportedKey')
  const own = certificates.find((der) => new X509Certificate(der).checkPrivateKey(key))
  if (!own) throw new CertificateError('keyMismatch')
  const x509 = new X509Certificate(own)
  const signer: Signer = {
    key,
    certificate: own,
    chain: [own, ...certificates.filter((der) => der !== own)],
    subject: nameIn(x509.subject),
    issuer: nameIn(x509.issuer),
    validFrom: new Date(x509.validFrom),
    validUntil: new Date(x509.validTo),
  }
  if (at) assertValid(signer, at)
  return signer
}

/** Throws CertificateError 'expired' or 'notYetValid'. */
export function assertValid(signer: Signer, at: Date): void {
  if (at > signer.validUntil) throw new CertificateError('expired')
  if (at < signer.validFrom) throw new CertificateError('notYetValid')
}

/**
 * Fields are on separate lines, or joined by ' + ' as in those we create; a backslash precedes signs of names ('\"',
 * '\+').
 */
function nameIn(distinguishedName: string): string {
  const fields = distinguishedName.split(/\n| \+ (?=[\w.]+=)/)
  const field = (key: string) => fields.find((one) => one.startsWith(`${key}=`))?.slice(key.length + 1)
  return (field('CN') ?? field('O') ?? fields.join(', ')).replace(/\\(.)/g, '$1')
}

export interface KeyPair {
  privateKey: KeyObject
  publicKey: KeyObject
}

/**
 * The pair of keys of a new certificate: RSA 3072. Its primes are looked for beside the main thread, for about a
 * second of a processor.
 */
export const newKeyPair = (): Promise<KeyPair> => promisify(generateKeyPair)('rsa', { modulusLength: 3072 })

/**
 * A certificate a business makes for itself, so that its documents are sealed from the first day: proof
 * against change, without a third party's word for who it is. SHA-256, with the keys that `makeKeys` makes.
 * `from` is the moment it begins (now, given by the caller: no clock here).
 */
export async function makeSelfSigned(
  about: { organisation: string; taxId: string; days: number; from: Date },
  makeKeys = newKeyPair,
): Promise<Signer & { readonly keyPem: string; readonly certificatePem: string }> {
  const { privateKey, publicKey } = await makeKeys()
  const certificate = new Certificate()
  certificate.version = 2
  certificate.serialNumber = new asn1.Integer({ valueHex: arrayBufferOf(positive(randomBytes(16))) })
  for (const [type, value] of [
    ['2.5.4.6', new asn1.PrintableString({ value: 'IL' })],
    ['2.5.4.10', new asn1.Utf8String({ value: about.organisation.slice(0, 64) })],
    ['2.5.4.5', new asn1.PrintableString({ value: about.taxId.replace(/[^0-9]/g, '') })],
    ['2.5.4.3', new asn1.Utf8String({ value: about.organisation.slice(0, 64) })],
  ] as const) {
    const part = new AttributeTypeAndValue({ type, value })
    certificate.subject.typesAndValues.push(part)
    certificate.issuer.typesAndValues.push(part)
  }
  certificate.notBefore = new Time({ type: 0, value: about.from })
  certificate.notAfter = new Time({
    type: 0,
    value: new Date(about.from.getTime() + about.days * 86_400_000),
  })
  const { result } = asn1.fromBER(arrayBufferOf(publicKey.export({ format: 'der', type: 'spki' })))
  certificate.subjectPublicKeyInfo.fromSchema(result)
  certificate.extensions = [
    extension('2.5.29.19', true, new BasicConstraints({ cA: false }).toSchema()),
    // digitalSignature and nonRepudiation
    extension(
      '2.5.29.15',
      true,
      new asn1.BitString({ valueHex: new Uint8Array([0xc0]).buffer, unusedBits: 6 }),
    ),
  ]
  const rsa = () =>
    new AlgorithmIdentifier({ algorithmId: '1.2.840.113549.1.1.11', algorithmParams: new asn1.Null() })
  certificate.signature = rsa()
  certificate.signatureAlgorithm = rsa()
  const body = new Uint8Array(certificate.encodeTBS().toBER())
  certificate.tbsView = body
  certificate.signatureValue = new asn1.BitString({
    valueHex: arrayBufferOf(sign('sha256', body, privateKey)),
  })
  const der = new Uint8Array(certificate.toSchema(true).toBER())
  return {
    ...signerOf(privateKey, [der]),
    keyPem: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
    certificatePem: new X509Certificate(der).toString(),
  }
}

/** A key and its certificates as stored in PEM. Throws CertificateError. */
export function signerOfPem(keyPem: string, certificatePem: string, at?: Date): Signer {
  const certificates = (
    certificatePem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
  ).map((pem) => new Uint8Array(new X509Certificate(pem).raw))
  if (certificates.length === 0) throw new CertificateError('noCertificate')
  let key: KeyObject
  try {
    key = createPrivateKey(keyPem)
  } catch {
    throw new CertificateError('noKey')
  }
  return signerOf(key, certificates, at)
}

const extension = (id: string, critical: boolean, value: asn1.BaseBlock) =>
  new Extension({ extnID: id, critical, extnValue: value.toBER() })

/** A serial number must not look negative. */
function positive(bytes: Buffer): Buffer {
  bytes[0] = (bytes[0]! & 0x7f) | 0x40
  return bytes
}

export function arrayBufferOf(bytes: Uint8Array): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
}
