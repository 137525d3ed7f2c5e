import { sql } from 'kysely'
import { isLeft, papersToAsk } from '#domain/closing/closing.ts'
import { dayInJerusalem, endOfMonth, type Day } from '#domain/day.ts'
import { Failure, fail, forbidden } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { failureOf } from '#kit/server/contract/failures.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { closePeriodOf } from '#features/books/periods/server/index.ts'
import { fileReturn } from '#features/tax/vat/server/index.ts'
import { askMissingOf, missingOf, requestLinkOf } from '#features/partners/requests/server/index.ts'
import type { bulkDeeds, ClientRow, Outcome } from '../endpoints.ts'
import { rowsOf } from './cockpit.ts'
import { factsOf, fileAdvance, summariseEach } from './facts.ts'
import { engagementsOf, inClient, officeOf, type Who } from './office.ts'

const done = { done: true as const }
type Deed = (typeof bulkDeeds)[number]

function refuseAhead(who: Who, month: string): Day {
  const first = `${month}-01`
  if (first > dayInJerusalem(who.app.now())) throw fail('practice.monthAhead')
  return first
}

const keepMonth = (ctx: Ctx, month: Day) =>
  sql`insert into closings (company_id, month, updated_by)
    values (${ctx.companyId}, ${month}, ${ctx.caller.userId}) on conflict do nothing`.execute(ctx.tx)

/** Signs a line: somebody looked at it. What stops is wrong whatever anybody says. */
export async function sign(
  who: Who,
  { clientId, month, line }: { clientId: string; month: string; line: string },
) {
  const first = refuseAhead(who, month)
  await inClient(who, clientId, async (ctx) => {
    const known = (await factsOf(ctx, first)).lines.find((each) => each.line === line)
    if (!known && !line.startsWith('own:')) throw fail('kit.notFound')
    if (known?.state === 'stop') throw fail('practice.lineStops')
    await keepMonth(ctx, first)
    await sql`select 1 from closings where company_id = ${ctx.companyId} and month = ${first} for
      update`.execute(ctx.tx)
    const { rows } = await sql<{
      deed: string
    }>`select deed from closing_marks where company_id = ${ctx.companyId} and month = ${first}
        and line = ${line} order by at desc, id desc limit 1`.execute(ctx.tx)
    if (rows[0]?.deed === 'signed') return
    await mark(ctx, first, line, 'signed', '', known?.count ?? 0)
    await ctx.audit('practice.sign', 'closings', null, undefined, { month, line })
  })
  await summariseEach(who.app, [clientId], [first])
  return done
}

const mark = (
  ctx: Ctx,
  month: Day,
  line: string,
  deed: 'signed' | 'reopened',
  reason: string,
  count: number,
) =>
  sql`insert into closing_marks (company_id, id, month, line, deed, reason, count, by_user, at)
    values (${ctx.companyId}, ${newId()}, ${month}, ${line}, ${deed}, ${reason}, ${count},
      ${ctx.caller.userId}, clock_timestamp())`.execute(ctx.tx)

export async function unsign(
  who: Who,
  { clientId, month, line, reason }: { clientId: string; month: string; line: string; reason: string },
) {
  const first = `${month}-01`
  await inClient(who, clientId, async (ctx) => {
    await sql`select 1 from closings where company_id = ${ctx.companyId} and month = ${first} for
      update`.execute(ctx.tx)
    const { rows } = await sql<{
      deed: string
    }>`select deed from closing_marks where company_id = ${ctx.companyId} and month = ${first}
        and line = ${line} order by at desc, id desc limit 1`.execute(ctx.tx)
    if (rows[0]?.deed !== 'signed') throw fail('practice.notSigned')
    await mark(ctx, first, line, 'reopened', reason, 0)
    await ctx.audit('practice.unsign', 'closings', null, undefined, { month, line, reason })
  })
  await summariseEach(who.app, [clientId], [first])
  return done
}

export async function say(
  who: Who,
  {
    clientId,
    month,
    said,
    note,
  }: {
    clientId: string
    month: string
    said: 'waiting' | 'work' | 'review' | null
    note?: string | undefined
  },
) {
  const first = refuseAhead(who, month)
  await inClient(who, clientId, async (ctx) => {
    await keepMonth(ctx, first)
    await sql`update closings set said_state = ${said}, note = coalesce(${note ?? null}, note),
        updated_by = ${ctx.caller.userId}, updated_at = now()
      where company_id = ${ctx.companyId} and month = ${first}`.execute(ctx.tx)
    await ctx.audit('practice.say', 'closings', null, undefined, { month, said, note })
  })
  await summariseEach(who.app, [clientId], [first])
  return done
}

const blank = { code: null, params: {}, count: 0, sumAgorot: null, left: [] }

/**
 * What an action would do with each client, from the known facts of the month; the action itself reads the books
 * again.
 */
export async function review(
  who: Who,
  { deed, month, clientIds }: { deed: Deed; month: string; clientIds: string[] },
): Promise<{ rows: Outcome[] }> {
  const office = await officeOf(who)
  const first = refuseAhead(who, month)
  const rows = await rowsOf(who, office, first, clientIds)
  const today = dayInJerusalem(who.app.now())
  const known = new Map(rows.map((row) => [row.id, row]))
  return {
    rows: clientIds.map((clientId) => {
      const row = known.get(clientId)
      const refused =
        row && row.state === 'active'
          ? wouldRefuse(deed, row, endOfMonth(first), today)
          : { code: 'kit.notFound' }
      const lines = row?.facts?.lines ?? []
      return {
        ...blank,
        clientId,
        name: row?.name ?? '',
        ...refused,
        count: deed === 'ask' ? papersToAsk(lines) : 0,
        sumAgorot:
          deed === 'fileVat'
            ? (row?.facts?.vat?.toPayAgorot ?? null)
            : deed === 'fileAll' && row?.facts
              ? toFile(row.facts).reduce((sum, part) => sum + part.toPayAgorot, 0)
              : null,
        left: deed === 'close' ? lines.filter(isLeft).map(({ line, title }) => title ?? line) : [],
      }
    }),
  }
}

/** What of a month is still to be reported: its VAT and its advance, where they end with it. */
const toFile = ({ vat, advance }: NonNullable<ClientRow['facts']>): { toPayAgorot: number }[] => [
  ...(vat && !vat.isFiled ? [vat] : []),
  ...(advance && !advance.isFiled ? [advance] : []),
]

function wouldRefuse(
  deed: Deed,
  { facts, rights, needsFactor }: ClientRow,
  to: Day,
  today: Day,
): { code: string; params?: Outcome['params'] } | undefined {
  if (needsFactor) return { code: 'session.factorNeeded' }
  if (!facts) return undefined
  const stops = facts.lines.filter(({ state }) => state === 'stop').length
  switch (deed) {
    case 'ask':
      return papersToAsk(facts.lines) > 0 ? undefined : { code: 'practice.nothingMissing' }
    case 'close':
      if (!rights.includes('close')) return { code: 'session.forbidden' }
      if (facts.isClosed) return { code: 'periods.alreadyClosed' }
      if (to >= today) return { code: 'periods.notOver', params: { day: to } }
      return stops ? { code: 'periods.blocked', params: { count: stops } } : undefined
    case 'fileVat':
      if (!rights.includes('file')) return { code: 'session.forbidden' }
      if (!facts.vat) return { code: 'practice.noVat' }
      if (facts.vat.isFiled) return { code: 'vat.alreadyFiled' }
      return facts.vat.to >= today ? { code: 'vat.periodNotOver', params: { day: facts.vat.to } } : undefined
    case 'fileAll':
      if (!rights.includes('file')) return { code: 'session.forbidden' }
      if (toFile(facts).length === 0) return { code: 'practice.nothingToFile' }
      return to >= today ? { code: 'vat.periodNotOver', params: { day: to } } : undefined
    case 'paid':
      return facts.isClosed && (!facts.vat || facts.vat.isFiled) ? undefined : { code: 'practice.notClosed' }
  }
}

/**
 * One client in a separate transaction, with the person's rights there: a refusal by one stops no other, and a
 * person whose engagement ended is not found.
 */
async function doOne(
  who: Who,
  { deed, month, despite }: { deed: Deed; month: Day; despite: boolean },
  clientId: string,
): Promise<Partial<Outcome>> {
  const office = await officeOf(who)
  // The lines of the office's own list count too.
  const left = deed === 'close' ? await ownLeft(who, office, month, clientId) : []
  if (left.length && !despite) throw fail('periods.waits', { count: left.length })
  return inClient(who, clientId, async (ctx) => {
    switch (deed) {
      case 'ask':
        return ask(ctx, month)
      case 'close': {
        if (!can(ctx.caller, 'periods.change')) throw forbidden({ rule: 'periods.change' })
        const lock = await closePeriodOf(ctx, { kind: 'month', from: month, despite, note: '' })
        return { left: lock.checks.filter(({ state }) => state === 'look').map(({ name }) => name) }
      }
      case 'fileVat':
        return fileVat(ctx, month)
      case 'fileAll':
        return fileAll(ctx, month)
      case 'paid': {
        const facts = await factsOf(ctx, month)
        if (!facts.isClosed || (facts.vat && !facts.vat.isFiled)) throw fail('practice.notClosed')
        await keepMonth(ctx, month)
        await sql`update closings set paid_at = coalesce(paid_at, now()),
            paid_by = coalesce(paid_by, ${ctx.caller.userId}), updated_at = now()
          where company_id = ${ctx.companyId} and month = ${month}`.execute(ctx.tx)
        await ctx.audit('practice.paid', 'closings', null, undefined, { month: month.slice(0, 7) })
        return {}
      }
    }
  })
}

async function ownLeft(
  who: Who,
  office: Awaited<ReturnType<typeof officeOf>>,
  month: Day,
  clientId: string,
): Promise<string[]> {
  await summariseEach(who.app, [clientId], [month])
  const [row] = await rowsOf(who, office, month, [clientId])
  return (row?.facts?.lines ?? [])
    .filter((line) => line.title !== null && isLeft(line))
    .map(({ title }) => title!)
}

/**
 * Asks for the paper of every payment that has none and for the bills that did not come, and mails the page
 * on which it is answered without a log-in.
 */
async function ask(ctx: Ctx, month: Day): Promise<Partial<Outcome>> {
  const { rows, bills } = await missingOf(ctx, { from: month, to: endOfMonth(month) })
  const { count } =
    rows.length + bills.length
      ? await askMissingOf(ctx, {
          lineIds: rows.slice(0, 200).map(({ id }) => id),
          bills: bills.slice(0, 200),
        })
      : { count: 0 }
  const { rows: open } =
    await sql`select 1 from client_requests where company_id = ${ctx.companyId} and state in ('asked', 'seen')
      limit 1`.execute(ctx.tx)
  if (!open.length) throw fail('practice.nothingMissing')
  const { email } = await companyOf(ctx)
  if (!email) throw fail('practice.noMail')
  await requestLinkOf(ctx, { to: email, renew: false })
  return { count }
}

async function fileVat(ctx: Ctx, month: Day): Promise<Partial<Outcome>> {
  if (!can(ctx.caller, 'vat.file')) throw forbidden({ rule: 'vat.file' })
  const facts = await factsOf(ctx, month)
  if (!facts.vat) throw fail('practice.noVat')
  // As it was filed last; who never filed here files with the detailed report.
  const { rows } = await sql<{
    kind: 'detailed' | 'return'
  }>`select kind from vat_filings where company_id = ${ctx.companyId} and reopened_at is null
    order by to_day desc limit 1`.execute(ctx.tx)
  const filing = await fileReturn(ctx, {
    period: month.slice(0, 7),
    kind: rows[0]?.kind ?? 'detailed',
    settle: true,
  })
  return { sumAgorot: filing.toPayAgorot }
}

/** The VAT and the advance of a period together, or neither: what was reported before is left as it is. */
async function fileAll(ctx: Ctx, month: Day): Promise<Partial<Outcome>> {
  if (!can(ctx.caller, 'vat.file')) throw forbidden({ rule: 'vat.file' })
  const to = endOfMonth(month)
  if (to >= ctx.today) throw fail('vat.periodNotOver', { day: to })
  const { vat } = await factsOf(ctx, month)
  const ofVat = vat && !vat.isFiled ? ((await fileVat(ctx, month)).sumAgorot ?? 0) : undefined
  const ofAdvance = await fileAdvance(ctx, to)
  if (ofVat === undefined && ofAdvance === undefined) throw fail('practice.nothingToFile')
  return { sumAgorot: (ofVat ?? 0) + (ofAdvance ?? 0) }
}

/**
 * Each client separately, one after the other. An engagement that ends while this runs is not found from then on,
 * and its line says so.
 */
export async function bulk(
  who: Who,
  { deed, month, clientIds, despite }: { deed: Deed; month: string; clientIds: string[]; despite: boolean },
): Promise<{ rows: Outcome[] }> {
  const office = await officeOf(who)
  const first = refuseAhead(who, month)
  const names = new Map(
    (await engagementsOf(who, office, clientIds)).map(({ clientId, name }) => [clientId, name]),
  )
  const rows: Outcome[] = []
  for (const clientId of new Set(clientIds)) {
    const head = { ...blank, clientId, name: names.get(clientId) ?? '' }
    try {
      rows.push({ ...head, ...(await doOne(who, { deed, month: first, despite }, clientId)) })
    } catch (e) {
      const failure = failureOf(e)
      if (!(e instanceof Failure))
        who.app.log.warn({ err: (e as Error).message }, 'a deed of an office failed')
      rows.push({ ...head, code: failure.code, params: failure.params as Outcome['params'] })
    }
    // It is done and reported, whether the page of the office can be refreshed now or by the sweep.
    if (names.has(clientId)) await summariseEach(who.app, [clientId], [first])
  }
  return { rows }
}
