import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { AwsV4Signer } from 'aws4fetch'
import type { Settings } from '#kit/server/settings.ts'
import { lookupOf, refuseFigures } from '#kit/server/outside/reach.ts'
import { Away, Full, Never, Revoked, type CopyFile, type Door } from './door.ts'

type Reach = Settings['webhooks']

/**
 * Of a WebDAV server: its folder, a user and the password. Of S3: the service, region and bucket, the key and its
 * secret.
 */
export interface PlainPlace {
  address: string
  region?: string
  bucket?: string
}
export interface PlainKeys {
  user: string
  password: string
}

/** How long one call may take: looking up, connecting, sending and the head of the answer together. */
export const patience = { ms: 30_000, bytesPerMs: 100, mostMs: 5 * 60_000 }

/**
 * One call to an address that a business typed: to the public net only, at an address that was looked at,
 * with no redirect followed. The head of the answer says all; what follows it is not waited for.
 */
function send(
  reach: Reach,
  method: string,
  url: URL,
  headers: Record<string, string>,
  body?: Uint8Array,
): Promise<{ status: number; after: number | undefined }> {
  return new Promise((resolve, reject) => {
    try {
      refuseFigures(url, reach)
    } catch {
      return reject(new Never('private address'))
    }
    const size = body?.length ?? 0
    const make = url.protocol === 'http:' ? plainRequest : secureRequest
    const request = make(
      url,
      {
        method,
        headers: { ...headers, 'content-length': String(size) },
        lookup: lookupOf(reach),
        agent: false,
      },
      (response) => {
        const status = response.statusCode ?? 0
        const done = () => {
          clearTimeout(timer)
          resolve({ status, after: Number(response.headers['retry-after']) || undefined })
          response.destroy()
        }
        response.on('error', () => {})
        // Taken before all of it was sent: the rest is sent first.
        if (status < 300 && !request.writableFinished) request.once('finish', done)
        else done()
      },
    )
    // A limit on silence alone would let a server drip for ever.
    const timer = setTimeout(
      () => request.destroy(new Error('timeout')),
      Math.min(patience.mostMs, patience.ms + size / patience.bytesPerMs),
    )
    request.on('error', (e) => {
      clearTimeout(timer)
      reject(new Away(e.message || e.name))
    })
    request.end(body)
  })
}

function judge({ status, after }: { status: number; after: number | undefined }): void {
  if (status >= 200 && status < 300) return
  if (status === 401 || status === 403) throw new Revoked(`HTTP ${status}`)
  if (status === 507 || status === 413) throw new Full(`HTTP ${status}`)
  if (status === 408 || status === 429 || status >= 500) throw new Away(`HTTP ${status}`, after)
  throw new Never(`HTTP ${status}`)
}

const pathOf = (parts: readonly string[]): string => parts.map(encodeURIComponent).join('/')

export function webdavDoor(reach: Reach, { address }: PlainPlace, { user, password }: PlainKeys): Door {
  const base = address.replace(/\/*$/, '/')
  const headers = { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
  return {
    put: async ({ folders, name, bytes, mime }, memory) => {
      for (let depth = 1; depth <= folders.length; depth++) {
        const path = folders.slice(0, depth)
        if (await memory.folder(path.join('/'))) continue
        const answer = await send(reach, 'MKCOL', new URL(`${pathOf(path)}/`, base), headers)
        // 405: it is there already.
        if (answer.status !== 405) judge(answer)
        await memory.keepFolder(path.join('/'), '1')
      }
      const answer = await send(
        reach,
        'PUT',
        new URL(pathOf([...folders, name]), base),
        { ...headers, 'content-type': mime },
        bytes,
      )
      // The folder was deleted meanwhile: all of them are made again at the next try.
      if (answer.status === 409 || answer.status === 404) {
        await memory.forgetFolders()
        throw new Away(`HTTP ${answer.status}`)
      }
      judge(answer)
    },
  }
}

export async function signedForS3(
  place: PlainPlace,
  keys: PlainKeys,
  file: Pick<CopyFile, 'folders' | 'name' | 'mime' | 'bytes'>,
  at?: string,
): Promise<{ url: URL; headers: Record<string, string> }> {
  const url = new URL(
    `${place.bucket}/${pathOf([...file.folders, file.name])}`,
    place.address.replace(/\/*$/, '/'),
  )
  const signed = await new AwsV4Signer({
    method: 'PUT',
    url: url.href,
    accessKeyId: keys.user,
    secretAccessKey: keys.password,
    service: 's3',
    region: place.region ?? 'us-east-1',
    headers: { 'content-type': file.mime },
    body: file.bytes as never,
    ...(at ? { datetime: at } : {}),
  } as ConstructorParameters<typeof AwsV4Signer>[0]).sign()
  return { url: signed.url, headers: Object.fromEntries(signed.headers) }
}

export function s3Door(reach: Reach, place: PlainPlace, keys: PlainKeys): Door {
  return {
    // The same key is the same object: whatever was sent twice is there once.
    put: async (file) => {
      const { url, headers } = await signedForS3(place, keys, file)
      judge(await send(reach, 'PUT', url, headers, file.bytes))
    },
  }
}
