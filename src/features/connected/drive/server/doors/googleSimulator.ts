import { createHash } from 'node:crypto'

/**
 * A stand-in of Google Drive: consent with its proof, folders, uploads that can be cut and go on, quota and
 * revoked consent. For development and tests.
 */
interface File {
  id: string
  name: string
  mimeType: string
  parents: string[]
  bytes: Buffer
}

export const standingDrive = {
  files: new Map<string, File>(),
  sessions: new Map<string, { file: Omit<File, 'bytes'>; parts: Buffer; size: number }>(),
  mood: 'well' as 'well' | 'revoked' | 'full' | 'rate' | 'down' | 'cut',
  ids: 0,
  calls: 0,
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
const refusal = (status: number, reason: string) =>
  json(status, { error: { code: status, message: reason, errors: [{ reason }] } })
const folderMime = 'application/vnd.google-apps.folder'

export async function simulatedDrive(url: string, init: RequestInit): Promise<Response> {
  const drive = standingDrive
  drive.calls++
  if (drive.mood === 'down') throw new Error('connection refused')
  const to = new URL(url)
  const headers = new Headers(init.headers)
  if (to.hostname === 'oauth2.googleapis.com') return token(new URLSearchParams(String(init.body)))
  const session = drive.sessions.get(to.searchParams.get('upload_id') ?? '')
  if (init.method === 'PUT') return session ? piece(session, headers, init) : json(404, {})
  if (!headers.get('authorization')?.startsWith('Bearer at')) return refusal(401, 'authError')
  if (to.pathname.endsWith('about')) return json(200, { user: { emailAddress: 'owner@example.com' } })
  if (drive.mood === 'rate') return refusal(403, 'userRateLimitExceeded')
  if (to.pathname.endsWith('generateIds')) return json(200, { ids: [`f${++drive.ids}`] })
  const given = typeof init.body === 'string' ? (JSON.parse(init.body) as Partial<File>) : {}
  const parents = given.parents ?? ['root']
  if (init.method === 'POST' && parents.some((one) => one !== 'root' && !drive.files.has(one)))
    return refusal(404, 'notFound')
  if (to.pathname.split('/')[1] === 'upload') {
    if (drive.mood === 'full') return refusal(403, 'storageQuotaExceeded')
    if (drive.files.has(given.id!)) return refusal(409, 'fileIdInUse')
    const id = `u${++drive.ids}`
    drive.sessions.set(id, {
      file: { id: given.id!, name: given.name!, mimeType: headers.get('x-upload-content-type')!, parents },
      parts: Buffer.alloc(0),
      size: Number(headers.get('x-upload-content-length')),
    })
    return json(
      200,
      {},
      { location: `https://www.googleapis.com/upload/drive/v3/files?uploadType=resumable&upload_id=${id}` },
    )
  }
  if (init.method === 'POST') {
    const id = `d${++drive.ids}`
    drive.files.set(id, { id, name: given.name!, mimeType: folderMime, parents, bytes: Buffer.alloc(0) })
    return json(200, { id })
  }
  const asked = /name = '(.*)' and '(.*)' in parents/.exec(to.searchParams.get('q') ?? '')
  const found = [...drive.files.values()].filter(
    (one) =>
      one.mimeType === folderMime &&
      one.name === asked?.[1]?.replaceAll("\\'", "'") &&
      one.parents[0] === asked?.[2],
  )
  return json(200, { files: found.map(({ id }) => ({ id })) })
}

function token(form: URLSearchParams): Response {
  if (standingDrive.mood === 'revoked') return json(400, { error: 'invalid_grant' })
  if (form.get('grant_type') === 'authorization_code') {
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    return form.get('code') === `simulated.${challenge}`
      ? json(200, {
          access_token: 'at1',
          refresh_token: 'rt1',
          scope: 'https://www.googleapis.com/auth/drive.file',
        })
      : json(400, { error: 'invalid_grant' })
  }
  return form.get('refresh_token') === 'rt1'
    ? json(200, { access_token: 'at1' })
    : json(400, { error: 'invalid_grant' })
}

async function piece(
  session: { file: Omit<File, 'bytes'>; parts: Buffer; size: number },
  headers: Headers,
  init: RequestInit,
): Promise<Response> {
  const range = headers.get('content-range') ?? ''
  const had = () =>
    session.parts.length ? { range: `bytes=0-${session.parts.length - 1}` } : ({} as Record<string, string>)
  if (!range.startsWith('bytes */')) {
    const bytes = Buffer.from(await new Response(init.body as NonNullable<RequestInit['body']>).arrayBuffer())
    const from = Number(/bytes (\d+)-/.exec(range)?.[1])
    if (from !== session.parts.length) return new Response(null, { status: 308, headers: had() })
    // The line is cut in the middle of the first piece.
    if (standingDrive.mood === 'cut') {
      session.parts = Buffer.concat([session.parts, bytes.subarray(0, Math.ceil(bytes.length / 2))])
      standingDrive.mood = 'well'
      throw new Error('socket hang up')
    }
    session.parts = Buffer.concat([session.parts, bytes])
  }
  if (session.parts.length < session.size) return new Response(null, { status: 308, headers: had() })
  standingDrive.files.set(session.file.id, { ...session.file, bytes: session.parts })
  return json(200, { id: session.file.id })
}
