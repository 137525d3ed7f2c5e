import type { OutsideApp } from '#kit/server/settings.ts'
import { Away, FolderGone, Full, Never, Revoked, type CopyFile, type Door, type Memory } from './door.ts'
import { simulatedDrive } from './googleSimulator.ts'

/** The one scope asked for: files this app made, and no other file of the person's drive. */
const scope = 'https://www.googleapis.com/auth/drive.file'
const api = 'https://www.googleapis.com'
/** Pieces of an upload; Google wants multiples of 256 KiB. */
export const pieceBytes = 8 * 1024 * 1024
/** One copy takes no longer in one go; what of it arrived stays, and the next try goes on from there. */
const longestMs = 8 * 60_000
const folderMime = 'application/vnd.google-apps.folder'

type Fetch = (url: string, init: RequestInit) => Promise<Response>
const fetcherOf = ({ mode }: OutsideApp): Fetch => (mode === 'simulator' ? simulatedDrive : fetch)

export const googleLogin = (
  { mode, clientId }: OutsideApp,
  { state, challenge, back }: { state: string; challenge: string; back: string },
): string =>
  mode === 'simulator'
    ? `${back}?${new URLSearchParams({ state, code: `simulated.${challenge}` })}`
    : `https://accounts.google.com/o/oauth2/v2/auth?${new URLSearchParams({
        client_id: clientId,
        redirect_uri: back,
        response_type: 'code',
        scope,
        // Without asking again Google gives no refresh token to the person who consented before.
        access_type: 'offline',
        prompt: 'consent',
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      })}`

async function tokens(
  app: OutsideApp,
  form: Record<string, string>,
): Promise<{ access_token?: string; refresh_token?: string; scope?: string }> {
  const answer = await call(fetcherOf(app), 'https://oauth2.googleapis.com/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      client_id: app.clientId,
      client_secret: app.clientSecret,
      ...form,
    }).toString(),
  })
  const body = (await answer.json().catch(() => ({}))) as { error?: string; access_token?: string }
  if (body.error === 'invalid_grant') throw new Revoked('invalid_grant')
  if (!answer.ok) throw new Never(body.error ?? `HTTP ${answer.status}`)
  return body
}

/** The code becomes a refresh token; refused where the person left the scope out. */
export async function googleToken(
  app: OutsideApp,
  code: string,
  verifier: string,
  back: string,
): Promise<{ refresh: string; account: string }> {
  const got = await tokens(app, {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: back,
  })
  if (!got.refresh_token || !got.access_token || !(got.scope ?? scope).split(' ').includes(scope))
    throw new Never('no consent to files')
  const about = await call(fetcherOf(app), `${api}/drive/v3/about?fields=user(emailAddress)`, {
    headers: { authorization: `Bearer ${got.access_token}` },
  })
  const { user } = (await about.json().catch(() => ({}))) as { user?: { emailAddress?: string } }
  return { refresh: got.refresh_token, account: user?.emailAddress ?? '' }
}

async function call(fetcher: Fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetcher(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(60_000) })
  } catch (e) {
    throw new Away((e as Error).message)
  }
}

/** Why it refused, by the reason it names: 403 alone may mean three things. */
async function refuse(answer: Response): Promise<never> {
  const { error } = (await answer.json().catch(() => ({}))) as {
    error?: { errors?: { reason?: string }[]; message?: string }
  }
  const reason = error?.errors?.[0]?.reason ?? ''
  const words = (error?.message ?? `HTTP ${answer.status}`).slice(0, 180)
  if (answer.status === 401) throw new Revoked(words)
  if (reason === 'storageQuotaExceeded' || reason === 'teamDriveFileLimitExceeded') throw new Full(words)
  if (
    answer.status === 429 ||
    answer.status >= 500 ||
    /rateLimitExceeded|userRateLimitExceeded|dailyLimitExceeded/.test(reason)
  )
    throw new Away(words, Number(answer.headers.get('retry-after')) || undefined)
  if (answer.status === 404) throw new FolderGone(words)
  throw new Never(words)
}

export function googleDoor(app: OutsideApp, refresh: string): Door {
  const fetcher = fetcherOf(app)
  let held: string | undefined
  const authorized = async (): Promise<Record<string, string>> => {
    held ??= (await tokens(app, { grant_type: 'refresh_token', refresh_token: refresh })).access_token
    return { authorization: `Bearer ${held}` }
  }
  const json = async <T>(url: string, init: RequestInit = {}): Promise<T> => {
    const answer = await call(fetcher, url, {
      ...init,
      headers: { 'content-type': 'application/json', ...(await authorized()), ...(init.headers as object) },
    })
    return answer.ok ? ((await answer.json()) as T) : refuse(answer)
  }

  async function folderOf(folders: readonly string[], memory: Memory): Promise<string | undefined> {
    let parent: string | undefined
    for (let depth = 1; depth <= folders.length; depth++) {
      const path = folders.slice(0, depth).join('/')
      let id = await memory.folder(path)
      if (!id) {
        const name = folders[depth - 1]!
        const quoted = name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
        const asked = `mimeType = '${folderMime}' and name = '${quoted}' and '${parent ?? 'root'}' in parents and trashed = false`
        const { files } = await json<{ files: { id: string }[] }>(
          `${api}/drive/v3/files?${new URLSearchParams({ q: asked, fields: 'files(id)', pageSize: '1' })}`,
        )
        id =
          files[0]?.id ??
          (
            await json<{ id: string }>(`${api}/drive/v3/files?fields=id`, {
              method: 'POST',
              body: JSON.stringify({ name, mimeType: folderMime, ...(parent ? { parents: [parent] } : {}) }),
            })
          ).id
        await memory.keepFolder(path, id)
      }
      parent = id
    }
    return parent
  }

  async function begin(file: CopyFile, id: string, memory: Memory): Promise<string | undefined> {
    const parent = await folderOf(file.folders, memory)
    const answer = await call(fetcher, `${api}/upload/drive/v3/files?uploadType=resumable`, {
      method: 'POST',
      headers: {
        ...(await authorized()),
        'content-type': 'application/json; charset=UTF-8',
        'x-upload-content-type': file.mime,
        'x-upload-content-length': String(file.bytes.length),
      },
      body: JSON.stringify({ id, name: file.name, ...(parent ? { parents: [parent] } : {}) }),
    })
    // An id that was taken before: it is there already.
    if (answer.status === 409) return undefined
    const session = answer.headers.get('location')
    if (!answer.ok) return refuse(answer)
    if (!session || !session.startsWith(`${api}/`)) throw new Away('no place for the upload')
    await memory.keep({ session })
    return session
  }

  /** How much of it is there already; undefined where the upload is not known any more. */
  async function received(session: string, size: number): Promise<number | 'all' | undefined> {
    const answer = await call(fetcher, session, {
      method: 'PUT',
      headers: { 'content-range': `bytes */${size}`, 'content-length': '0' },
    })
    if (answer.ok) return 'all'
    if (answer.status === 308) return Number(/(\d+)$/.exec(answer.headers.get('range') ?? '')?.[1] ?? -1) + 1
    if (answer.status === 404 || answer.status === 410) return undefined
    return refuse(answer)
  }

  return {
    put: async (file, memory) => {
      const ends = performance.now() + longestMs
      if (!memory.remoteId) {
        const { ids } = await json<{ ids: string[] }>(`${api}/drive/v3/files/generateIds?count=1`)
        await memory.keep({ remoteId: ids[0]! })
        memory.remoteId = ids[0]!
      }
      let from: number | 'all' | undefined = memory.session
        ? await received(memory.session, file.bytes.length)
        : undefined
      let session: string | undefined = from === undefined ? undefined : memory.session
      if (from === 'all') return
      if (session === undefined) {
        session = await begin(file, memory.remoteId, memory)
        if (session === undefined) return
        from = 0
      }
      for (let at = from as number; ;) {
        if (performance.now() > ends) throw new Away('the upload takes too long')
        const piece = file.bytes.subarray(at, at + pieceBytes)
        const answer = await call(fetcher, session, {
          method: 'PUT',
          headers: { 'content-range': `bytes ${at}-${at + piece.length - 1}/${file.bytes.length}` },
          body: piece as NonNullable<RequestInit['body']>,
        })
        if (answer.ok) return
        if (answer.status !== 308) return refuse(answer)
        const next = Number(/(\d+)$/.exec(answer.headers.get('range') ?? '')?.[1] ?? -1) + 1
        if (next <= at) throw new Away('the upload does not move on')
        at = next
      }
    },
  }
}
