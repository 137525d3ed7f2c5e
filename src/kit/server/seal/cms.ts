import { createHash, sign } from 'node:crypto'
import * as asn1 from 'asn1js'
import {
  AlgorithmIdentifier,
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs'
import { arrayBufferOf, type Signer } from './certificates.ts'

export const oid = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timeStampToken: '1.2.840.113549.1.9.16.2.14',
  stampInfo: '1.2.840.113549.1.9.16.1.4',
  sha256: '2.16.840.1.101.3.4.2.1',
  rsaSha256: '1.2.840.113549.1.1.11',
  ecdsaSha256: '1.2.840.10045.4.3.2',
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** Asks a time-stamp authority for its word over these bytes; answers the token (DER). */
export type Stamper = (over: Uint8Array) => Promise<Uint8Array>

/** A signature that is made; its envelope is written with a token over its value, or without one. */
export interface Detached {
  readonly value: Uint8Array
  der: (token?: Uint8Array) => Uint8Array
}

/**
 * A detached CMS signature over a digest, as PAdES baseline B-B asks: content type, message digest and the
 * hash of the signer's certificate are signed, and no signing time (the PDF carries it). DER.
 */
export function detachedSignature(digest: Uint8Array, signer: Signer): Detached {
  const attributes = [
    new Attribute({ type: oid.contentType, values: [new asn1.ObjectIdentifier({ value: oid.data })] }),
    new Attribute({
      type: oid.messageDigest,
      values: [new asn1.OctetString({ valueHex: arrayBufferOf(digest) })],
    }),
    new Attribute({ type: oid.signingCertificateV2, values: [signingCertificate(signer.certificate)] }),
  ]
  // DER wants the members of a set in the order of their bytes, and what is signed must be exactly what is
  // stored.
  attributes.sort((left, right) =>
    Buffer.compare(Buffer.from(left.toSchema().toBER()), Buffer.from(right.toSchema().toBER())),
  )
  const signed = new SignedAndUnsignedAttributes({ type: 0, attributes })
  const toSign = Buffer.from(
    new asn1.Set({ value: attributes.map((attribute) => attribute.toSchema()) }).toBER(),
  )

  const certificates = signer.chain.map((der) => Certificate.fromBER(arrayBufferOf(der)))
  const own = certificates[0]!
  const rsa = signer.key.asymmetricKeyType === 'rsa'
  const value = sign('sha256', toSign, signer.key)
  const info = new SignerInfo({
    version: 1,
    sid: new IssuerAndSerialNumber({ issuer: own.issuer, serialNumber: own.serialNumber }),
    digestAlgorithm: new AlgorithmIdentifier({ algorithmId: oid.sha256 }),
    signedAttrs: signed,
    signatureAlgorithm: new AlgorithmIdentifier(
      rsa
        ? { algorithmId: oid.rsaSha256, algorithmParams: new asn1.Null() }
        : { algorithmId: oid.ecdsaSha256 },
    ),
    signature: new asn1.OctetString({ valueHex: arrayBufferOf(value) }),
  })
  const cms = new SignedData({
    version: 1,
    digestAlgorithms: [new AlgorithmIdentifier({ algorithmId: oid.sha256 })],
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: oid.data }),
    certificates,
    signerInfos: [info],
  })
  return {
    value,
    der: (token) => {
      if (token)
        info.unsignedAttrs = new SignedAndUnsignedAttributes({
          type: 1,
          attributes: [
            new Attribute({ type: oid.timeStampToken, values: [asn1.fromBER(arrayBufferOf(token)).result] }),
          ],
        })
      return new Uint8Array(
        new ContentInfo({ contentType: oid.signedData, content: cms.toSchema(true) }).toSchema().toBER(),
      )
    },
  }
}

/** RFC 5035: which certificate signed. SHA-256 is the default algorithm and so is not written. */
function signingCertificate(certificate: Uint8Array): asn1.Sequence {
  const certId = new asn1.Sequence({
    value: [new asn1.OctetString({ valueHex: arrayBufferOf(sha256(certificate)) })],
  })
  return new asn1.Sequence({ value: [new asn1.Sequence({ value: [certId] })] })
}
