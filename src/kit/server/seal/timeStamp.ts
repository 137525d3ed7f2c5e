import { createHash, randomBytes } from 'node:crypto'
import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import * as asn1 from 'asn1js'
import {
  AlgorithmIdentifier,
  ContentInfo,
  MessageImprint,
  SignedData,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs'
import { lookupOf, refuseFigures, type Reach } from '../outside/reach.ts'
import { arrayBufferOf } from './certificates.ts'
import { oid, type Stamper } from './cms.ts'

/** The authority gave no token. The message is for the log. */
export class StampError extends Error {
  override name = 'StampError'
}

const longestMs = 10_000
const mostBytes = 64 * 1024

/** Asks an RFC 3161 authority; every call is one question. Throws StampError when no good token comes. */
export const stamperAt =
  (address: string, reach: Reach): Stamper =>
  async (over) => {
    const imprint = createHash('sha256').update(over).digest()
    const nonce = randomBytes(8)
    nonce[0] = (nonce[0]! & 0x7f) | 0x40
    const question = new TimeStampReq({
      version: 1,
      messageImprint: new MessageImprint({
        hashAlgorithm: new AlgorithmIdentifier({ algorithmId: oid.sha256 }),
        hashedMessage: new asn1.OctetString({ valueHex: arrayBufferOf(imprint) }),
      }),
      nonce: new asn1.Integer({ valueHex: arrayBufferOf(nonce) }),
      certReq: true,
    })
    const answer = await post(new URL(address), Buffer.from(question.toSchema().toBER()), reach)
    return tokenIn(answer, imprint, nonce)
  }

/** The token of an answer, held against what was asked. */
export function tokenIn(answer: Uint8Array, imprint: Uint8Array, nonce: Uint8Array): Uint8Array {
  let token: ContentInfo
  let info: TSTInfo
  try {
    const response = TimeStampResp.fromBER(arrayBufferOf(answer))
    const { status } = response.status
    if ((status !== 0 && status !== 1) || !response.timeStampToken)
      throw new StampError(`the authority refused (${status})`)
    token = response.timeStampToken
    info = infoOf(new Uint8Array(token.toSchema().toBER()))
  } catch (e) {
    throw e instanceof StampError ? e : new StampError('the authority’s answer is not readable')
  }
  const said = Buffer.from(info.messageImprint.hashedMessage.valueBlock.valueHexView)
  if (!said.equals(imprint)) throw new StampError('the token is for something else')
  if (info.nonce && !Buffer.from(info.nonce.valueBlock.valueHexView).equals(nonce))
    throw new StampError('the token is of another question')
  return new Uint8Array(token.toSchema().toBER())
}

/** What a token says: over what, and when. */
export function infoOf(token: Uint8Array): TSTInfo {
  const signed = new SignedData({
    schema: ContentInfo.fromBER(arrayBufferOf(token)).content as asn1.Sequence,
  })
  const content = signed.encapContentInfo.eContent
  if (!content) throw new StampError('the token is empty')
  return TSTInfo.fromBER(arrayBufferOf(new Uint8Array(content.getValue())))
}

function post(to: URL, body: Buffer, reach: Reach): Promise<Buffer> {
  refuseFigures(to, reach)
  return new Promise((resolve, reject) => {
    const make = to.protocol === 'http:' ? plainRequest : secureRequest
    const request = make(
      to,
      {
        method: 'POST',
        lookup: lookupOf(reach),
        headers: { 'content-type': 'application/timestamp-query', 'content-length': body.length },
      },
      (response) => {
        const parts: Buffer[] = []
        let bytes = 0
        response.on('data', (part: Buffer) => {
          bytes += part.length
          if (bytes > mostBytes) request.destroy(new StampError('the answer is too long'))
          else parts.push(part)
        })
        response.on('end', () => {
          clearTimeout(timer)
          if (response.statusCode === 200) resolve(Buffer.concat(parts))
          else reject(new StampError(`the authority answered ${response.statusCode}`))
        })
        response.on('error', reject)
      },
    )
    const timer = setTimeout(() => request.destroy(new StampError('the authority is too slow')), longestMs)
    request.on('error', (e) => {
      clearTimeout(timer)
      reject(e instanceof StampError ? e : new StampError(e.message))
    })
    request.end(body)
  })
}
