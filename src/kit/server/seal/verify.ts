import { constants, createHash, verify as verifyBytes, X509Certificate } from 'node:crypto'
import * as asn1 from 'asn1js'
import {
  Certificate as PkiCertificate,
  ContentInfo,
  SignedData,
  type AlgorithmIdentifier,
  type Certificate,
  type SignerInfo,
} from 'pkijs'
import { arrayBufferOf } from './certificates.ts'
import { oid } from './cms.ts'
import { readPdf, type PdfFile } from './pdfFile.ts'
import { entriesOf, rawObject } from './pdfValues.ts'
import { infoOf } from './timeStamp.ts'

/** What is found of one seal. */
export interface FoundSeal {
  readonly name: string
  readonly issuer: string
  readonly isSelfMade: boolean
  /** As the file says, and as an authority says. */
  readonly at: Date | null
  readonly stampedAt: Date | null
  /** Of its certificate, SHA-256. */
  readonly fingerprint: string
  readonly isValid: boolean
  readonly coversUntil: number
  readonly after: 'nothing' | 'allowed' | 'changed'
}

/**
 * The seals of a PDF in their order: whether each is valid over its bytes, and whether what came after it is only
 * what a form allows (fields filled in, further seals). Of a file that cannot be read the seals whose bytes can be
 * found are reported all the same.
 */
export function sealsOf(bytes: Buffer): FoundSeal[] {
  const text = bytes.toString('latin1')
  const found: FoundSeal[] = []
  for (const hit of text.matchAll(/\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g)) {
    const [a, b, c, d] = hit.slice(1).map(Number) as [number, number, number, number]
    found.push(oneSeal(bytes, text, hit.index, [a, b, c, d]))
  }
  found.sort((left, right) => left.coversUntil - right.coversUntil)
  return found.map((seal) => ({ ...seal, after: afterOf(bytes, seal.coversUntil) }))
}

const broken = (coversUntil: number): FoundSeal => ({
  name: '',
  issuer: '',
  isSelfMade: false,
  at: null,
  stampedAt: null,
  fingerprint: '',
  isValid: false,
  coversUntil,
  after: 'changed',
})

function oneSeal(
  bytes: Buffer,
  text: string,
  at: number,
  [a, b, c, d]: [number, number, number, number],
): FoundSeal {
  const until = c + d
  // From the first byte, around one string of hexadecimals and nothing else, to the end of its revision.
  const hole = a === 0 && b > 0 && c > b && until <= bytes.length ? text.slice(b, c) : ''
  if (!/^<[0-9A-Fa-f]+>$/.test(hole) || until < at) return broken(Math.min(until, bytes.length))
  try {
    const digest = createHash('sha256').update(bytes.subarray(0, b)).update(bytes.subarray(c, until)).digest()
    const digits = hole.slice(1, -1)
    const room = Buffer.from(digits, 'hex')
    const der = withoutPadding(room)
    // The room a signature lies in is the one place no seal covers: nothing else may hide in it.
    if (
      room.subarray(der.length).some((byte) => byte !== 0) ||
      (digits !== digits.toLowerCase() && digits !== digits.toUpperCase())
    )
      return broken(until)
    const envelope = ContentInfo.fromBER(arrayBufferOf(der))
    const signed = new SignedData({ schema: envelope.content as asn1.Sequence })
    const info = signed.signerInfos[0]!
    const x509 = signerIn(signed, info)
    if (!x509 || !areBound(signed, x509) || !isPlain(der, envelope, signed, oid.data)) return broken(until)
    const around = text.slice(text.lastIndexOf(' obj', at), text.indexOf('endobj', at))
    return {
      name: partOf(x509.subject, 'CN') || partOf(x509.subject, 'O'),
      issuer: partOf(x509.issuer, 'CN') || partOf(x509.issuer, 'O'),
      isSelfMade: x509.subject === x509.issuer,
      at: dateIn(/\/M\s*\(D:(\d{14})/.exec(around)?.[1]),
      stampedAt: stampOf(info),
      fingerprint: createHash('sha256').update(x509.raw).digest('hex'),
      isValid: holds(info, x509, digest),
      coversUntil: until,
      after: 'nothing',
    }
  } catch {
    return broken(until)
  }
}

/** The room kept for a signature is filled up with zeros. */
function withoutPadding(der: Buffer): Buffer {
  if (der[0] !== 0x30) throw new Error('no signature')
  let length = der[1]!
  let head = 2
  if (length & 0x80) {
    const count = length & 0x7f
    if (count > 4) throw new Error('no signature')
    length = der.readUIntBE(2, count)
    head += count
  }
  return der.subarray(0, head + length)
}

const x509Of = (certificate: Certificate): X509Certificate =>
  new X509Certificate(Buffer.from(certificate.toSchema().toBER()))
const certificatesOf = (signed: SignedData): X509Certificate[] =>
  (signed.certificates ?? [])
    .filter((one): one is Certificate => 'serialNumber' in one && 'issuer' in one)
    .map(x509Of)

function signerIn(signed: SignedData, info: SignerInfo): X509Certificate | undefined {
  const { issuer, serialNumber } = info.sid as {
    issuer?: Certificate['issuer']
    serialNumber?: Certificate['serialNumber']
  }
  if (!issuer || !serialNumber) return undefined
  const found = (signed.certificates ?? []).find(
    (one): one is Certificate =>
      'serialNumber' in one &&
      'issuer' in one &&
      one.serialNumber.isEqual(serialNumber) &&
      one.issuer.isEqual(issuer),
  )
  return found && x509Of(found)
}

/**
 * Every certificate in it is the signer's or an issuer's: each bears the signature of the next, the last is
 * self-signed. One that leads nowhere could hide a change.
 */
function areBound(signed: SignedData, signer: X509Certificate): boolean {
  const all = certificatesOf(signed)
  if (!all.every((one) => one.subject !== one.issuer || one.verify(one.publicKey))) return false
  const bound = new Set([signer.fingerprint256])
  for (let grown = true; grown;) {
    grown = false
    for (const one of all)
      if (
        !bound.has(one.fingerprint256) &&
        all.some(
          (below) =>
            bound.has(below.fingerprint256) && below.issuer === one.subject && below.verify(one.publicKey),
        )
      ) {
        bound.add(one.fingerprint256)
        grown = true
      }
  }
  return all.every(({ fingerprint256 }) => bound.has(fingerprint256))
}

/** Without parameters, or with a NULL of the universal class. */
const isPlainAlgorithm = ({ algorithmParams }: AlgorithmIdentifier): boolean => {
  const id = (algorithmParams as asn1.BaseBlock | undefined)?.idBlock
  return !id || (id.tagClass === 1 && id.tagNumber === 5)
}

const rsa = '1.2.840.113549.1.1.'
const curves = '1.2.840.10045.4.3.'
/**
 * RSA alone or with the hash that was used, curves with theirs; PSS contains its parameters, which are checked where
 * it is used.
 */
const algorithmsOf: Record<string, readonly string[]> = {
  sha256: [`${rsa}1`, `${rsa}11`, `${curves}2`],
  sha384: [`${rsa}1`, `${rsa}12`, `${curves}3`],
  sha512: [`${rsa}1`, `${rsa}13`, `${curves}4`],
}

/**
 * No signature covers the envelope it lies in. Its content must be the usual one, so that a changed byte of it shows
 * as any other: versions, algorithms, the certificate that is meant, and nothing beside that but the token of a
 * time-stamp authority.
 */
function isPlain(der: Buffer, envelope: ContentInfo, signed: SignedData, content: string): boolean {
  const [info, ...others] = signed.signerInfos
  const [digest, ...more] = signed.digestAlgorithms
  const isData = content === oid.data
  if (!info || others.length || !digest || more.length || signed.crls?.length) return false
  const { issuer, serialNumber } = info.sid as {
    issuer: Certificate['issuer']
    serialNumber: Certificate['serialNumber']
  }
  const named = new asn1.Sequence({ value: [asn1.fromBER(issuer.valueBeforeDecode).result, serialNumber] })
  const beside = info.unsignedAttrs?.attributes ?? []
  // What is written otherwise than DER asks is treated as absent: only the one form with this meaning counts.
  const written = new ContentInfo({ contentType: oid.signedData, content: signed.toSchema(true) })
    .toSchema()
    .toBER()
  return (
    Buffer.from(written).equals(der) &&
    envelope.contentType === oid.signedData &&
    signed.version === (isData ? 1 : 3) &&
    info.version === 1 &&
    digest.algorithmId === info.digestAlgorithm.algorithmId &&
    isPlainAlgorithm(digest) &&
    isPlainAlgorithm(info.digestAlgorithm) &&
    (info.signatureAlgorithm.algorithmId === rsaPss ||
      (algorithmsOf[hashNames[digest.algorithmId] ?? '']?.includes(info.signatureAlgorithm.algorithmId) ===
        true &&
        isPlainAlgorithm(info.signatureAlgorithm))) &&
    signed.encapContentInfo.eContentType === content &&
    (signed.encapContentInfo.eContent === undefined) === isData &&
    der.includes(Buffer.from(named.toBER())) &&
    certificatesOf(signed).some((one) => issuerOf(one).equals(Buffer.from(issuer.valueBeforeDecode))) &&
    beside.length <= (isData ? 1 : 0) &&
    beside.every(({ type }) => type === oid.timeStampToken)
  )
}

const issuerOf = (x509: X509Certificate): Buffer =>
  Buffer.from(PkiCertificate.fromBER(arrayBufferOf(x509.raw)).issuer.valueBeforeDecode)

function holds(info: SignerInfo, x509: X509Certificate, digest: Buffer): boolean {
  const attributes = info.signedAttrs
  if (!attributes) return false
  const said = attributes.attributes.find(({ type }) => type === oid.messageDigest)?.values[0] as
    | asn1.OctetString
    | undefined
  if (!said || !Buffer.from(said.valueBlock.valueHexView).equals(digest)) return false
  if (
    !namesSigner(
      attributes.attributes.find(({ type }) => type === oid.signingCertificateV2)?.values[0] as
        | asn1.BaseBlock
        | undefined,
      x509,
    )
  )
    return false
  // The signed bytes are the set as DER, though it is in the file under a context tag.
  const signed = Buffer.from(
    attributes.encodedValue.byteLength ? attributes.encodedValue : attributes.toSchema().toBER(),
  )
  signed[0] = 0x31
  const value = Buffer.from(info.signature.valueBlock.valueHexView)
  const key = x509.publicKey
  const hash = hashNames[info.digestAlgorithm.algorithmId] ?? 'sha256'
  return key.asymmetricKeyType === 'rsa-pss' || info.signatureAlgorithm.algorithmId === rsaPss
    ? verifyBytes(
        hash,
        signed,
        { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO },
        value,
      )
    : verifyBytes(hash, signed, key, value)
}

/**
 * RFC 5035: the certificate is identified by its hash; a seal without it names nobody and is judged by the rest.
 */
function namesSigner(attribute: asn1.BaseBlock | undefined, x509: X509Certificate): boolean {
  if (!attribute) return true
  const hash = createHash('sha256').update(x509.raw).digest()
  const der = Buffer.from(attribute.toBER())
  // Another algorithm is named where it is not SHA-256.
  return (
    der.includes(hash) ||
    der.includes(Buffer.from('0609608648016503040202', 'hex')) ||
    der.includes(Buffer.from('0609608648016503040203', 'hex'))
  )
}

const rsaPss = '1.2.840.113549.1.1.10'
const hashNames: Record<string, string> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

/** The moment of the token over this very signature; none where the token is of another. */
function stampOf(info: SignerInfo): Date | null {
  const token = info.unsignedAttrs?.attributes.find(({ type }) => type === oid.timeStampToken)?.values[0] as
    | asn1.BaseBlock
    | undefined
  if (!token) return null
  const der = new Uint8Array(token.toBER())
  const envelope = ContentInfo.fromBER(arrayBufferOf(der))
  const signed = new SignedData({ schema: envelope.content as asn1.Sequence })
  const own = signed.signerInfos[0]!
  const x509 = signerIn(signed, own)
  const digestName = hashNames[own.digestAlgorithm.algorithmId] ?? 'sha256'
  const content = Buffer.from(signed.encapContentInfo.eContent!.getValue())
  if (
    !x509 ||
    !areBound(signed, x509) ||
    !isPlain(Buffer.from(der), envelope, signed, oid.stampInfo) ||
    !holds(own, x509, createHash(digestName).update(content).digest())
  )
    throw new Error('the time stamp does not hold')
  const told = infoOf(der)
  const imprint = createHash('sha256').update(Buffer.from(info.signature.valueBlock.valueHexView)).digest()
  return Buffer.from(told.messageImprint.hashedMessage.valueBlock.valueHexView).equals(imprint)
    ? told.genTime
    : null
}

const partOf = (name: string, key: string): string =>
  name
    .split(/\n| \+ (?=[\w.]+=)/)
    .find((one) => one.startsWith(`${key}=`))
    ?.slice(key.length + 1)
    .replace(/\\(.)/g, '$1') ?? ''

function dateIn(digits: string | undefined): Date | null {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(digits ?? '')
  if (!parts) return null
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second))
}

/** Fields that are filled in and signed change these entries of theirs, and nothing else. */
const fillable = new Set(['V', 'AP', 'AS', 'M'])

/**
 * What came after the bytes a seal covers. New objects alone harm nothing: nobody sees them unless one that
 * was there names them.
 */
function afterOf(bytes: Buffer, until: number): FoundSeal['after'] {
  if (!bytes.subarray(until).toString('latin1').trim()) return 'nothing'
  try {
    const before = readPdf(bytes.subarray(0, until))
    const now = readPdf(bytes)
    // No revision of the file, and yet there is content.
    if (before.root !== now.root || before.startXref === now.startXref) return 'changed'
    for (const [number, offset] of now.offsets)
      if (before.offsets.has(number) && offset >= until && !isFilling(before, now, number)) return 'changed'
    // What was there and is named no more was taken away.
    for (const number of before.offsets.keys()) if (!now.offsets.has(number)) return 'changed'
    return 'allowed'
  } catch {
    return 'changed'
  }
}

function isFilling(before: PdfFile, now: PdfFile, number: number): boolean {
  const [was, is] = [rawObject(before, number), rawObject(now, number)]
  if (!was.isDictionary || !is.isDictionary || was.stream || is.stream) return false
  const [old, fresh] = [entriesOf(was.text), entriesOf(is.text)]
  if (old.get('Subtype') !== '/Widget' || !old.has('FT')) return false
  for (const key of new Set([...old.keys(), ...fresh.keys()]))
    if (!fillable.has(key) && old.get(key)?.trim() !== fresh.get(key)?.trim()) return false
  // A field that was signed stays signed as it was.
  return !(old.get('FT') === '/Sig' && old.has('V') && old.get('V') !== fresh.get('V'))
}
