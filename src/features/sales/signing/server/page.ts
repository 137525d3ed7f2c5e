import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx, OpenCtx } from '#kit/server/context.ts'
import type { FileAnswer, Later } from '#kit/server/contract/implement.ts'
import { openPage, rowOfKey } from '#kit/server/http/pageKeys.ts'
import { throttle } from '#kit/server/http/throttle.ts'
import { hashToken, newToken } from '#kit/server/rights/vault.ts'
import { companyOf, faceOf, getLogo, registerBusinessPage } from '#features/base/companies/server/index.ts'
import { findCaller, verifiedEmail } from '#features/base/session/server/index.ts'
import type { ShownField, SignPageAnswer } from '../endpoints.ts'
import type { Filled } from '../shapes.ts'
import { act } from './acts.ts'
import { checkCode, codeWay, countCodeTry, hidden, makeCode } from './invite.ts'
import {
  fileNameOf,
  fileOf,
  loadRequest,
  pagesOfFile,
  sealedOf,
  signersOf,
  type StoredRequest,
  type StoredSigner,
} from './load.ts'
import { paidValue, sumOf } from './payDoor.ts'
import { pictureFor } from './templates.ts'

registerBusinessPage('/signdoc', {
  owner: (key) => sql`select company_id from sign_signers where page_key = ${key}`,
  words: 'signing.pageFace',
  logo: (key) => `/api2/invoice/sign/${key}/logo`,
})

export const question = (key: string) =>
  sql<{
    company_id: string
    id: string
    request_id: string
  }>`select company_id, id, request_id from sign_signers where page_key = ${key}`

interface Opened {
  r: StoredRequest
  s: StoredSigner
  all: StoredSigner[]
}

async function opened(inside: Ctx, requestId: string, id: string, lock: boolean): Promise<Opened> {
  const r = await loadRequest(inside, requestId, lock)
  const all = await signersOf(inside, requestId)
  return { r, all, s: all.find((one) => one.id === id)! }
}

/** Work for the person who has a signer's key; `lock` holds up everybody else at the same paper. */
export const byKey = <T>(
  ctx: OpenCtx,
  key: string,
  work: (inside: Ctx, found: Opened) => Promise<T>,
  lock = false,
): Promise<T> =>
  openPage(ctx, question(key), async (inside, { id, request_id }) =>
    work(inside, await opened(inside, request_id, id, lock)),
  )

const visitHours = 4

/** What is missing before the document is shown. */
export function needOf(s: StoredSigner, visit: string | undefined, now: Date): 'nothing' | 'code' | 'login' {
  if (s.identity === 'link') return 'nothing'
  const knows =
    visit &&
    s.visitHash &&
    s.visitUntil &&
    new Date(s.visitUntil) > now &&
    timingSafeEqual(Buffer.from(s.visitHash), hashToken(visit))
  return knows ? 'nothing' : s.identity
}

export function refuseUnknown(s: StoredSigner, visit: string | undefined, now: Date): void {
  const need = needOf(s, visit, now)
  if (need !== 'nothing') throw fail(need === 'code' ? 'signing.needCode' : 'signing.needLogin')
}

const endedStates = ['declined', 'expired', 'recalled']

/** Past its day it is over, whether or not the sweep has come by. */
export const isOver = (r: StoredRequest, now: Date): boolean =>
  endedStates.includes(r.state) ||
  ((r.state === 'sent' || r.state === 'inProgress') && new Date(r.expiresAt) <= now)

function stateFor(r: StoredRequest, s: StoredSigner, now: Date): SignPageAnswer['state'] {
  if (s.state === 'declined' || s.state === 'delegated') return s.state
  if (isOver(r, now)) return 'ended'
  if (r.state === 'done') return s.state === 'spared' ? 'spared' : 'done'
  if (r.state === 'sealing') return s.state === 'spared' ? 'spared' : 'sealing'
  if (s.state === 'signed' || s.state === 'spared') return s.state
  return s.state === 'open' ? 'turn' : 'waiting'
}

/**
 * What earlier signers filled in belongs to the document; what others fill in at the same time or later is hidden.
 */
function fieldsFor(
  r: StoredRequest,
  s: StoredSigner,
  all: readonly StoredSigner[],
  showsAll: boolean,
  paid: ReadonlyMap<string, string>,
): ShownField[] {
  const by = new Map(all.filter(({ state }) => state === 'signed').map((one) => [one.role, one]))
  return r.fields.map(({ merge: _, role, amountAgorot, ...field }) => {
    const mine = role === s.role
    const other = by.get(role)
    const shows = mine
      ? s.state === 'signed'
      : other !== undefined && (showsAll || other.order < s.order) && field.kind !== 'file'
    const value: Filled | null = mine
      ? (s.values?.[field.id] ?? paid.get(field.id) ?? r.given[field.id] ?? null)
      : shows
        ? (other!.values?.[field.id] ?? null)
        : null
    const asks = field.kind === 'pay' ? sumOf({ amountAgorot }, r.sumAgorot) : null
    return {
      ...field,
      amountAgorot: asks,
      mine,
      value,
      by: r.roles.find(({ id }) => id === role)?.name ?? '',
    }
  })
}

async function paidOf(inside: Ctx, r: StoredRequest, s: StoredSigner): Promise<Map<string, string>> {
  const paid = new Map<string, string>()
  for (const field of r.fields)
    if (field.kind === 'pay' && field.role === s.role) {
      const value = await paidValue(inside, r, s, field)
      if (value) paid.set(field.id, value)
    }
  return paid
}

export const page = (
  ctx: OpenCtx,
  { key, visit }: { key: string; visit?: string | undefined },
): Promise<SignPageAnswer> =>
  byKey(ctx, key, async (inside, { r, s, all }) => {
    const company = await companyOf(inside)
    const needs = needOf(s, visit, inside.now)
    const state = stateFor(r, s, inside.now)
    const way = codeWay(s)
    const common = {
      ...faceOf(company),
      language: s.language,
      needs,
      codeTo: s.identity === 'code' && way ? hidden(way) : '',
    }
    // Nothing of the paper leaks before the code.
    if (needs !== 'nothing')
      return {
        ...common,
        name: '',
        state: state === 'ended' ? 'ended' : 'turn',
        signer: { name: '', role: '' },
        sender: '',
        message: '',
        expiresAt: r.expiresAt,
        pages: [],
        fields: [],
        others: [],
        hasFile: false,
        mayDelegate: false,
        mayCertify: false,
      }
    if (state === 'turn' && !s.openedAt) await firstOpened(inside, r.id, s.id, ctx.agent)
    const isShown = state !== 'ended' && state !== 'delegated'
    const pages = isShown
      ? (await pagesOfFile(inside, r.fileId)).map(({ width, height, text }) => ({ width, height, text }))
      : []
    return {
      ...common,
      name: r.name,
      state,
      signer: { name: s.name, role: s.roleName },
      sender: r.sender ?? '',
      message: r.message,
      expiresAt: r.expiresAt,
      pages,
      fields: isShown ? fieldsFor(r, s, all, state === 'done', await paidOf(inside, r, s)) : [],
      others: all
        .filter((one) => one.id !== s.id && one.state !== 'delegated' && one.state !== 'spared')
        .map((one) => ({ name: one.name, role: one.roleName, state: one.state })),
      hasFile: state === 'done',
      mayDelegate: state === 'turn' && !r.fromOpen,
      // A personal seal has room only where each signer has one.
      mayCertify: state === 'turn' && r.mode === 'each',
    }
  })

/** Records once that a signer has seen the document. */
export async function firstOpened(
  inside: Ctx,
  requestId: string,
  signerId: string,
  agent: string,
): Promise<void> {
  const r = await loadRequest(inside, requestId, true)
  const { rows } = await sql`update sign_signers set opened_at = ${inside.now.toISOString()}
      where company_id = ${inside.companyId} and id = ${signerId}
    and opened_at is null returning 1`.execute(inside.tx)
  if (!rows.length) return
  await sql`update sign_requests set opened_at = coalesce(opened_at, ${inside.now.toISOString()}),
      state = case when state = 'sent' then 'inProgress' else state end
    where company_id = ${inside.companyId} and id = ${requestId}`.execute(inside.tx)
  await sql`update messages set opened_at = ${inside.now.toISOString()} where company_id = ${inside.companyId}
      and signer_id = ${signerId}
    and state in ('sent', 'kept') and opened_at is null`.execute(inside.tx)
  await act(inside, r, { kind: 'opened', signerId, agent })
  await inside.audit('signRequests.opened', 'signRequests', requestId, undefined, { signerId })
}

export const picture = (
  ctx: OpenCtx,
  { key, visit, page: number }: { key: string; visit?: string | undefined; page: number },
): Promise<Later<FileAnswer>> =>
  byKey(ctx, key, async (inside, { r, s }) => {
    refuseUnknown(s, visit, inside.now)
    if (isOver(r, inside.now) || s.state === 'delegated') throw fail('kit.notFound')
    return pictureFor(inside, r.fileId, number)
  })

export const pagePdf = (
  ctx: OpenCtx,
  { key, visit }: { key: string; visit?: string | undefined },
): Promise<FileAnswer> =>
  byKey(ctx, key, async (inside, { r, s }) => {
    refuseUnknown(s, visit, inside.now)
    if (isOver(r, inside.now) || s.state === 'delegated') throw fail('kit.notFound')
    const sealed = r.state === 'done' ? await sealedOf(inside, r.id) : undefined
    const bytes = sealed?.bytes ?? (await fileOf(inside, r.fileId)).bytes
    return { bytes, mime: 'application/pdf', name: fileNameOf(r.name), inline: false }
  })

export const pageLogo = (ctx: OpenCtx, { key }: { key: string }): Promise<FileAnswer> =>
  byKey(ctx, key, getLogo)

const codesAnHour = 5

export const askCode = async (ctx: OpenCtx, { key }: { key: string }): Promise<{ to: string }> => {
  const row = await rowOfKey(ctx, question(key))
  await throttle(ctx.app, `signCode:${row.id}`, codesAnHour)
  return byKey(
    ctx,
    key,
    async (inside, { r, s }) => {
      const way = codeWay(s)
      if (s.identity !== 'code' || !way) throw fail('kit.notFound')
      if (isOver(r, inside.now)) throw fail('signing.hasEnded')
      await makeCode(inside, s)
      await act(inside, r, {
        kind: 'codeSent',
        signerId: s.id,
        agent: ctx.agent,
        detail: { to: hidden(way), by: way.channel },
      })
      return { to: hidden(way) }
    },
    true,
  )
}

async function begun(
  inside: Ctx,
  r: StoredRequest,
  s: StoredSigner,
  how: string,
  agent: string,
): Promise<string> {
  const visit = newToken()
  await sql`update sign_signers set visit_hash = ${hashToken(visit)},
      visit_until = ${new Date(inside.now.getTime() + visitHours * 3_600_000).toISOString()},
    identified_how = ${how} where company_id = ${inside.companyId} and id = ${s.id}`.execute(inside.tx)
  await act(inside, r, { kind: 'identified', signerId: s.id, agent, detail: { how } })
  return visit
}

/**
 * The try counts before the code is compared. A wrong code is written down and refused: the refusal must not undo that,
 * so it comes behind the commit.
 */
export const identify = async (
  ctx: OpenCtx,
  { key, code }: { key: string; code: string },
): Promise<{ visit: string }> => {
  const row = await rowOfKey(ctx, question(key))
  const tried = await countCodeTry(ctx, row.company_id, row.id)
  const found = await byKey(
    ctx,
    key,
    async (inside, { r, s }) => {
      if (s.identity !== 'code') throw fail('kit.notFound')
      const verdict = await checkCode(inside, s, code, tried)
      if (verdict === 'right')
        return {
          visit: await begun(
            inside,
            r,
            s,
            codeWay(s)?.channel === 'sms' ? 'codeBySms' : 'codeByMail',
            ctx.agent,
          ),
        }
      await act(inside, r, { kind: 'wrongCode', signerId: s.id, agent: ctx.agent })
      return { refused: verdict }
    },
    true,
  )
  if (found.visit !== undefined) return { visit: found.visit }
  throw fail(found.refused === 'ended' ? 'signing.codeEnded' : 'signing.wrongCode')
}

export const byLogin = async (ctx: OpenCtx, { key }: { key: string }): Promise<{ visit: string }> => {
  const caller = ctx.token ? await findCaller(ctx.app, ctx.token) : undefined
  if (!caller) {
    await rowOfKey(ctx, question(key))
    throw fail('signing.needLogin')
  }
  const email = await verifiedEmail(ctx.tx, caller.userId)
  if (email === undefined) throw fail('session.verifyFirst')
  return byKey(
    ctx,
    key,
    async (inside, { r, s }) => {
      if (s.identity !== 'login') throw fail('kit.notFound')
      if (email !== s.email?.toLowerCase()) throw fail('signing.wrongLogin')
      return { visit: await begun(inside, r, s, 'login', ctx.agent) }
    },
    true,
  )
}
