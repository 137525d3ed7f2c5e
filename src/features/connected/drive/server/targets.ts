import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { addMonths } from '#domain/day.ts'
import { fail, Failure, failField } from '#kit/describe/errors.ts'
import { can, seesEverything } from '#kit/describe/session.ts'
import { newId, type App, type Caller, type Ctx } from '#kit/server/context.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import type { OutsideCtx } from '#kit/server/contract/implement.ts'
import { hashToken, encrypt, newToken, decrypt } from '#kit/server/rights/vault.ts'
import { checkUrl } from '#features/open/webhooks/server/index.ts'
import type { Target } from '../endpoints.ts'
import { Away, type Door, type Memory } from './doors/door.ts'
import { googleDoor, googleLogin, googleToken } from './doors/google.ts'
import { s3Door, webdavDoor, type PlainKeys, type PlainPlace } from './doors/plain.ts'

export interface TargetRow {
  company_id: string
  id: string
  kind: Target['kind']
  name: string
  state: Target['state']
  place: Partial<PlainPlace> & { account?: string }
  secret_sealed: Buffer
  what: Target['what']
  pattern: string
  last_error: string
  last_done_at: string | null
  told_at: string | null
  paused_why: Target['pausedWhy']
  created_by: string
}

const mostTargets = 10

export async function targets(ctx: Ctx, id?: string): Promise<Target[]> {
  const { rows } = await sql<
    TargetRow & Pick<Target, 'waiting' | 'done' | 'failed' | 'by'>
  >`select t.*, u.full_name as by, c.* from drive_targets t join users u on u.id = t.created_by, lateral (
      select count(*) filter (where d.state in ('waiting', 'asked'))::int as waiting,
        count(*) filter (where d.state = 'done')::int as done,
        count(*) filter (where d.state = 'failed')::int as failed from drive_copies d
        where d.company_id = t.company_id and d.target_id = t.id) c
    where t.company_id = ${ctx.companyId} and t.archived_at is null
      and (${id ?? null}::uuid is null or t.id = ${id ?? null}) order by t.created_at, t.id`.execute(ctx.tx)
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    name: row.name,
    state: row.state,
    pausedWhy: row.paused_why,
    by: row.by,
    place: row.place.account ?? [row.place.address, row.place.bucket].filter(Boolean).join(' · '),
    what: row.what,
    pattern: row.pattern,
    lastError: row.last_error,
    lastDoneAt: row.last_done_at,
    waiting: row.waiting,
    done: row.done,
    failed: row.failed,
  }))
}

export async function targetOf(ctx: Ctx, id: string): Promise<Target> {
  const [found] = await targets(ctx, id)
  if (!found) throw fail('kit.notFound')
  return found
}

/** The way into a place. */
export function doorOf(app: App, row: Pick<TargetRow, 'kind' | 'place' | 'secret_sealed'>): Door | undefined {
  const secret = decrypt(app.secrets.vault, row.secret_sealed).toString()
  if (row.kind === 'google') return app.settings.drive && googleDoor(app.settings.drive, secret)
  const keys = JSON.parse(secret) as PlainKeys
  return row.kind === 'webdav'
    ? webdavDoor(app.settings.webhooks, row.place as PlainPlace, keys)
    : s3Door(app.settings.webhooks, row.place as PlainPlace, keys)
}

async function keepTarget(
  ctx: Ctx,
  {
    kind,
    name,
    place,
    secret,
  }: { kind: Target['kind']; name: string; place: TargetRow['place']; secret: string },
): Promise<Target> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from drive_targets where company_id = ${ctx.companyId}
      and archived_at is null`.execute(ctx.tx)
  if (rows[0]!.n >= mostTargets) throw fail('drive.tooMany', { most: mostTargets })
  const id = newId()
  await sql`insert into drive_targets (company_id, id, kind, name, place, secret_sealed, what, created_by)
    values (${ctx.companyId}, ${id}, ${kind}, ${name}, ${JSON.stringify(place)}::jsonb,
    ${encrypt(ctx.app.secrets.vault, Buffer.from(secret))}, '{documents,expenses,reports}',
    ${ctx.caller.userId})`.execute(ctx.tx)
  await ctx.audit('drive.add', 'driveTargets', id, undefined, { kind, name, place })
  return targetOf(ctx, id)
}

/**
 * Refuses a caller who may not decide that all data of the business is copied out. An API key may not either: the copies
 * would continue after the key ended.
 * @throws {Failure} drive.noKeys, drive.notWhole
 */
function requireConnector({ caller }: { caller: Caller }): void {
  if (caller.apiKey) throw fail('drive.noKeys')
  if (!mayConnect(caller)) throw fail('drive.notWhole')
}

/** Whose authority is enough for copies, when a place is connected and at every run after. */
export const mayConnect = (caller: Caller): boolean =>
  !caller.apiKey && can(caller, 'drive') && seesEverything(caller)

const backOf = (app: App) => `${app.publicUrl()}/connectgoogledrive`

export async function beginGoogle(ctx: Ctx): Promise<{ url: string }> {
  requireConnector(ctx)
  const { drive } = ctx.app.settings
  if (!drive) throw fail('drive.notOffered')
  const [state, verifier] = [newToken(), randomBytes(48).toString('base64url')]
  await sql`insert into drive_ties (company_id, id_hash, verifier_sealed, user_id, expires_at)
    values (${ctx.companyId}, ${hashToken(state)},
    ${encrypt(ctx.app.secrets.vault, Buffer.from(verifier))}, ${ctx.caller.userId},
    ${new Date(ctx.now.getTime() + 3_600_000)})`.execute(ctx.tx)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return { url: googleLogin(drive, { state, challenge, back: backOf(ctx.app) }) }
}

export async function endGoogle(
  ctx: OutsideCtx,
  { state, code, error }: { state: string; code: string; error: string },
): Promise<{ target: Target }> {
  requireConnector(ctx)
  const { drive } = ctx.app.settings
  if (!drive) throw fail('drive.notOffered')
  const tie = await ctx.within(async (own) => {
    const { rows } = await sql<{
      verifier_sealed: Buffer
      user_id: string
      is_over: boolean
    }>`delete from drive_ties where company_id = ${own.companyId}
      and id_hash = ${hashToken(state)} returning verifier_sealed, user_id,
      expires_at < ${own.now} as is_over`.execute(own.tx)
    return rows[0]
  })
  if (!tie || tie.is_over || tie.user_id !== ctx.caller.userId) throw fail('drive.tieEnded')
  if (error || !code) throw fail('drive.refused')
  const got = await googleToken(
    drive,
    code,
    decrypt(ctx.app.secrets.vault, tie.verifier_sealed).toString(),
    backOf(ctx.app),
  ).catch((e: unknown) => {
    throw fail(e instanceof Away ? 'drive.away' : 'drive.refused')
  })
  return ctx.within(async (own) => {
    // The person who consents again with the same account renews it; its copies are known.
    const { rows } = await sql<{
      id: string
    }>`update drive_targets set secret_sealed = ${encrypt(own.app.secrets.vault, Buffer.from(got.refresh))},
        state = 'on', paused_why = null, last_error = '', created_by = ${own.caller.userId},
      rest_until = null, told_at = null, updated_at = now() where company_id = ${own.companyId}
      and kind = 'google' and archived_at is null and place->>'account' = ${got.account}
      returning id`.execute(own.tx)
    if (!rows[0])
      return {
        target: await keepTarget(own, {
          kind: 'google',
          name: 'Google Drive',
          place: { account: got.account },
          secret: got.refresh,
        }),
      }
    await own.audit('drive.renew', 'driveTargets', rows[0].id)
    return { target: await targetOf(own, rows[0].id) }
  })
}

type Given =
  | { kind: 'webdav'; name: string; address: string; user: string; password: string }
  | {
      kind: 's3'
      name: string
      address: string
      user: string
      password: string
      region: string
      bucket: string
    }

/** Remembers nothing: for the file that shows whether a place takes any. */
const forgetful: Memory = {
  remoteId: '',
  session: '',
  keep: async () => {},
  folder: async () => undefined,
  keepFolder: async () => {},
  forgetFolders: async () => {},
}

export async function addPlace(ctx: OutsideCtx, given: Given): Promise<Target> {
  requireConnector(ctx)
  const place: PlainPlace = {
    address: placeAddress(given.address, ctx.app),
    ...(given.kind === 's3' ? { region: given.region, bucket: given.bucket } : {}),
  }
  const keys = { user: given.user, password: given.password }
  const door =
    given.kind === 's3'
      ? s3Door(ctx.app.settings.webhooks, place, keys)
      : webdavDoor(ctx.app.settings.webhooks, place, keys)
  try {
    await door.put(
      { folders: [], name: 'pinkas.txt', bytes: Buffer.from('Pinkas\n'), mime: 'text/plain' },
      forgetful,
    )
  } catch (e) {
    if (e instanceof Away) throw fail('drive.away')
    throw failField('password', 'drive.refused')
  }
  return ctx.within((own) =>
    keepTarget(own, {
      kind: given.kind,
      name: given.name || new URL(place.address).hostname,
      place: { ...place },
      secret: JSON.stringify(keys),
    }),
  )
}

/** Held to the same bounds as addresses of webhooks, and said at its own field. */
function placeAddress(address: string, app: App): string {
  try {
    return checkUrl(address, app.settings.webhooks)
  } catch (e) {
    if (e instanceof Failure) throw failField('address', 'drive.badPlace')
    throw e
  }
}

export async function changeTarget(
  ctx: Ctx,
  {
    id,
    name,
    what,
    pattern,
    on,
  }: {
    id: string
    name?: string | undefined
    what?: Target['what'] | undefined
    pattern?: string | undefined
    on?: boolean | undefined
  },
): Promise<Target> {
  const before = await targetOf(ctx, id)
  const onlyTurnsOff = on === false && (name ?? what ?? pattern) === undefined
  if (!onlyTurnsOff) requireConnector(ctx)
  const state = on === undefined ? before.state : on ? (before.state === 'revoked' ? 'revoked' : 'on') : 'off'
  await sql`update drive_targets set name = ${name ?? before.name}, what = ${what ?? before.what}::text[],
      pattern = ${pattern ?? before.pattern}, state = ${state},
      paused_why = case when ${state} = 'paused' then paused_why end,
      created_by = case when ${onlyTurnsOff} then created_by else ${ctx.caller.userId}::uuid end,
      told_at = case when ${state} = 'on' then null else told_at end,
    rest_until = case when ${on ?? false} then null else rest_until end, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('drive.change', 'driveTargets', id, before, { name, what, pattern, on })
  return targetOf(ctx, id)
}

export async function dropTarget(ctx: Ctx, id: string): Promise<void> {
  const { name } = await targetOf(ctx, id)
  await sql`update drive_targets set archived_at = now(), state = 'off', paused_why = null, secret_sealed = ''
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('drive.drop', 'driveTargets', id, { name })
}

export async function copies(ctx: Ctx, { id, state }: { id: string; state?: string | undefined }) {
  await targetOf(ctx, id)
  const { rows } = await sql<{
    entity: 'documents' | 'expenses' | 'reports'
    entityId: string
    state: 'waiting' | 'asked' | 'done' | 'failed' | 'nothing'
    path: string
    sizeBytes: number | null
    tries: number
    nextAt: string | null
    error: string
    at: string
    doneAt: string | null
  }>`select entity, entity_id as "entityId", state, path, size_bytes as "sizeBytes", tries, case
      when state in ('waiting', 'asked') then next_at end as "nextAt", error, created_at as at,
      done_at as "doneAt"
    from drive_copies where company_id = ${ctx.companyId} and target_id = ${id}
      and (${state ?? null}::text is null or state = ${state ?? null})
      and (entity <> 'documents' or seen_document(company_id, entity_id) is not null)
    order by created_at desc, entity_id desc limit 100`.execute(ctx.tx)
  return { rows }
}

/**
 * What failed once more, and, from a day on, what was never copied. The key of a copy sees to it that nothing
 * is laid twice.
 */
export async function againCopies(
  ctx: Ctx,
  { id, sinceDay }: { id: string; sinceDay?: string | undefined },
): Promise<{ count: number }> {
  const { what } = await targetOf(ctx, id)
  requireConnector(ctx)
  const { rows } = await sql`update drive_copies set state = 'waiting', next_at = now(), tries = 0, error = ''
      where company_id = ${ctx.companyId} and target_id = ${id}
    and state = 'failed' returning 1`.execute(ctx.tx)
  let count = rows.length
  const earliest = addMonths(ctx.today, -12)
  const from = sinceDay && sinceDay < earliest ? earliest : sinceDay
  if (from && what.includes('documents')) {
    const made = await sql`insert into drive_copies (company_id, target_id, entity, entity_id)
        select company_id, ${id}, 'documents', id from documents
      where company_id = ${ctx.companyId} and ${isIssued()} and day >= ${from} on conflict do nothing
      returning 1`.execute(ctx.tx)
    count += made.rows.length
  }
  if (from && what.includes('expenses')) {
    const made = await sql`insert into drive_copies (company_id, target_id, entity, entity_id)
        select distinct e.company_id, ${id}::uuid, 'expenses', e.id from expenses e
      join file_links k on k.company_id = e.company_id and k.entity = 'expenses' and k.entity_id = e.id
      where e.company_id = ${ctx.companyId} and e.created_at >= ${from}::date on conflict do nothing
      returning 1`.execute(ctx.tx)
    count += made.rows.length
  }
  await sql`update drive_targets set rest_until = null where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  await ctx.audit('drive.again', 'driveTargets', id, undefined, { count, sinceDay })
  return { count }
}
