import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { byOf, newId, type Ctx } from '#kit/server/context.ts'
import { asks, isInvoice, isLive, isNotCancelled } from '#kit/server/data/documentFacts.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { accountIds } from '#features/base/ledger/server/index.ts'
import type { OpenItem } from '../../endpoints.ts'
import { onlyAllowed } from '../list/list.ts'
import { load, type StoredDocument } from '../content/load.ts'
import { countsWhenPaid, openingNumber, paperLabel } from '../content/opening.ts'
import { isIncomeItself, typeById } from '../../types/index.ts'

export interface Closes {
  fromId: string
  toId: string
  /** In the currency of the money (or credit), and of the debt. */
  fromAgorot: number
  toAgorot: number
}

/**
 * Uses money on account, or a credit, against a debt; later than the day it came. Refuses more than either
 * has left.
 */
export async function settle(ctx: Ctx, closes: Closes, day = ctx.today): Promise<void> {
  // Also a check that both are there and may be seen.
  const from = await load(ctx, closes.fromId)
  await load(ctx, closes.toId)
  // Money that was counted as income pays what was not, and money that was not pays what was: else income
  // would count twice, or never.
  const isIncome = typeById(from.type)?.incomeItself !== undefined && from.ils_net_agorot !== 0
  if (isIncome !== (await countsWhenPaid(ctx, [closes.toId])).has(closes.toId))
    throw failField('documentId', 'documents.incomeAndDebt')
  const accounts = await accountIds(ctx)
  const s = {
    ...closes,
    id: newId(),
    entryId: newId(),
    day,
    by: byOf(ctx),
    customers: accounts.of('customers'),
    exchange: accounts.of(isIncome ? 'openingBalances' : 'exchangeDifferences'),
  }
  await sql`select settle(${ctx.companyId}, ${JSON.stringify(s)}::jsonb)`.execute(ctx.tx)
  await ctx.audit('documents.settle', 'documents', closes.toId, undefined, closes)
}

/** As much of a debt as the money can close: what the one has free, or what of the other is open. */
export async function mostBetween(ctx: Ctx, fromId: string, toId: string): Promise<number> {
  const [from, to] = [await load(ctx, fromId), await load(ctx, toId)]
  if (from.currency !== to.currency) throw failField('amountAgorot', 'fields.need')
  const most = Math.min(-from.open_in_currency_agorot, to.open_in_currency_agorot)
  if (most <= 0) throw fail('documents.nothingToClose')
  return most
}

/** Takes a settlement back; both sides are open again. */
export async function unsettle(ctx: Ctx, id: string, day = ctx.today): Promise<void> {
  const s = { id: newId(), entryId: newId(), day, by: byOf(ctx) }
  await sql`select unsettle(${ctx.companyId}, ${id}, ${JSON.stringify(s)}::jsonb)`.execute(ctx.tx)
  await ctx.audit('documents.unsettle', 'settlements', id)
}

export interface Standing {
  id: string
  from_id: string
  to_id: string
  from_agorot: number
  to_agorot: number
}

/** The settlements of a document that still stand, the newest first. */
export async function standing(ctx: Ctx, documentId: string): Promise<Standing[]> {
  const { rows } = await sql<Standing>`select id, from_id, to_id, from_agorot, to_agorot from settlements s
      where company_id = ${ctx.companyId}
    and (from_id = ${documentId} or to_id = ${documentId}) and reverses_id is null
    and not exists (select 1 from settlements r where r.company_id = s.company_id and r.reverses_id = s.id)
    order by created_at desc, id desc`.execute(ctx.tx)
  return rows
}

/** Opens a document completely: everything it closed, and everything that closed it, is reversed. */
export async function openAgain(ctx: Ctx, documentId: string, day = ctx.today): Promise<Standing[]> {
  const undone = await standing(ctx, documentId)
  for (const s of undone) await unsettle(ctx, s.id, day)
  await askAgain(ctx, documentId)
  return undone
}

/**
 * The requests that a paper answered ask again for all that it answered: by its money, or by standing in
 * their place.
 */
export async function askAgain(ctx: Ctx, documentId: string): Promise<void> {
  const { rows } = await sql<{
    request_id: string
    agorot: number
  }>`select request_id, sum(agorot)::bigint as agorot from asked_payments
    where company_id = ${ctx.companyId} and document_id = ${documentId} group by request_id
    having sum(agorot) <> 0`.execute(ctx.tx)
  for (const { request_id, agorot } of rows) await answerRequest(ctx, documentId, request_id, -agorot)
}

/**
 * Makes room: reverses so much of what a money document closed as is needed to have `agorot` of it free again,
 * newest first. A settlement reversed for more than is needed is created again for the rest.
 */
export async function freeUp(ctx: Ctx, documentId: string, agorot: number, day = ctx.today): Promise<void> {
  const paper = await load(ctx, documentId, true)
  let missing = agorot - Math.abs(paper.open_in_currency_agorot)
  for (const s of await standing(ctx, documentId)) {
    if (missing <= 0) return
    await unsettle(ctx, s.id, day)
    const over = s.from_agorot - missing
    if (over > 0) {
      const toAgorot = s.from_agorot === s.to_agorot ? over : Math.floor((s.to_agorot * over) / s.from_agorot)
      await settle(ctx, { fromId: s.from_id, toId: s.to_id, fromAgorot: over, toAgorot }, day)
    }
    missing -= s.from_agorot
  }
  if (missing > 0) throw fail('documents.notSettled')
}

/** What a customer owes, is asked for, and has as credit: the open items of the customer's card, oldest first. */
export async function openItemsOf(ctx: Ctx, customerId: string): Promise<OpenItem[]> {
  const { rows } =
    await sql<OpenItem>`select id, type, number, ${paperLabel('documents')} as label, day as date,
        due_day as "dueDate", currency, total_agorot as "totalAgorot",
      case when ${asks()} then asked_agorot else open_in_currency_agorot end as "openInCurrencyAgorot",
      open_agorot as "openAgorot", ${asks()} as asks, series like '%#opening' as "isOpening",
      coalesce(${openingNumber('documents')}, '') as "openingNumber"
    from documents where company_id = ${ctx.companyId} and customer_id = ${customerId}
      and ${isLive()}
      and (open_in_currency_agorot <> 0 or asked_agorot <> 0)${onlyAllowed(ctx, 'type')} order by day, id
      limit 1000`.execute(ctx.tx)
  return rows
}

/** The money of a payment in the document's currency and in shekels. */
interface Lost {
  agorot: number
  ilsAgorot: number
}

export interface AskedAgain {
  id: string
  agorot: number
}

/**
 * Whether money on this document is the customer's credit until it closes something; elsewhere it was the income at
 * once.
 */
async function givesCredit(ctx: Ctx, paper: StoredDocument): Promise<boolean> {
  const type = typeById(paper.type)!
  const wasIncome =
    isIncomeItself(type, (await companyOf(ctx)).kind) && paper.net_exempt_agorot + paper.net_zero_agorot !== 0
  return type.debt < 0 && !wasIncome
}

/** Adds to what a document leaves open, with a row that says since which day. */
async function openBy(ctx: Ctx, documentId: string, { agorot, ilsAgorot }: Lost, day: Day): Promise<void> {
  await sql`insert into open_changes (company_id, document_id, day, agorot, ils_agorot, created_by)
    values (${ctx.companyId}, ${documentId}, ${day}, ${agorot}, ${ilsAgorot}, ${byOf(ctx)})`.execute(ctx.tx)
  await sql`update documents set open_agorot = open_agorot + ${ilsAgorot},
      open_in_currency_agorot = open_in_currency_agorot + ${agorot}, updated_at = now(),
      status = status_of(abs(open_in_currency_agorot + ${agorot}), abs(total_agorot))
    where company_id = ${ctx.companyId} and id = ${documentId}`.execute(ctx.tx)
}

/**
 * Takes money out of a money paper again (a cheque that bounced, a debit that came back): what it closed is
 * open again as far as needed, and the paper is worth so much less. A paper that was paid as it was written
 * is open itself. The entry is the caller's affair. Answers the payment requests that ask again.
 */
export async function loseMoney(
  ctx: Ctx,
  documentId: string,
  money: Lost,
  day = ctx.today,
): Promise<AskedAgain[]> {
  const paper = await load(ctx, documentId, true)
  if (await givesCredit(ctx, paper)) await freeUp(ctx, documentId, money.agorot, day)
  await openBy(ctx, documentId, money, day)
  // An invoice in the place of a request is open itself.
  return typeById(paper.type)!.parts.includes('closes') ? askAgainFor(ctx, documentId, money.agorot) : []
}

/**
 * The money arrived after all: the opposite of `loseMoney`. What it closed before stays open, and it is the
 * customer's credit.
 */
export async function regainMoney(
  ctx: Ctx,
  documentId: string,
  money: Lost,
  asked: readonly AskedAgain[],
  day = ctx.today,
): Promise<void> {
  const paper = await load(ctx, documentId, true)
  // The debt that was left has been paid some other way since.
  if (!(await givesCredit(ctx, paper)) && paper.open_in_currency_agorot < money.agorot)
    throw fail('documents.notSettled')
  await openBy(ctx, documentId, { agorot: -money.agorot, ilsAgorot: -money.ilsAgorot }, day)
  for (const { id, agorot } of asked) await answerRequest(ctx, documentId, id, agorot)
}

/** Requests that this money answered ask again, the newest first, for so much of it as was lost. */
async function askAgainFor(ctx: Ctx, documentId: string, lost: number): Promise<AskedAgain[]> {
  const { rows } =
    await sql<AskedAgain>`select request_id as id, sum(agorot)::bigint as agorot from asked_payments
    where company_id = ${ctx.companyId} and document_id = ${documentId} group by request_id
    having sum(agorot) > 0 order by max(created_at) desc, 1`.execute(ctx.tx)
  const again: AskedAgain[] = []
  for (const { id, agorot } of rows) {
    const part = Math.min(agorot, lost - again.reduce((sum, one) => sum + one.agorot, 0))
    if (part <= 0) break
    await answerRequest(ctx, documentId, id, -part)
    again.push({ id, agorot: part })
  }
  return again
}

/**
 * So much of a request is answered by a money paper, as far as it still asks; negative takes an answer back.
 */
async function answerRequest(ctx: Ctx, documentId: string, requestId: string, agorot: number): Promise<void> {
  const { rows } = await sql<{
    asked: number
    total: number
  }>`select asked_agorot as asked, total_agorot as total from documents
    where company_id = ${ctx.companyId} and id = ${requestId} and ${isNotCancelled()} for update`.execute(
    ctx.tx,
  )
  const part = rows[0] ? Math.min(agorot, rows[0].asked) : 0
  if (!part) return
  await writeAnswer(ctx, documentId, requestId, part)
  const inPlace = part < 0 ? await invoiceInPlace(ctx, requestId, documentId) : undefined
  // What an invoice stands for is asked there: it answers for the money that is gone.
  const over = inPlace ? Math.min(-part, rows[0]!.asked - part - inPlace.stillAsked) : 0
  if (over > 0) await writeAnswer(ctx, inPlace!.id, requestId, over)
}

async function writeAnswer(ctx: Ctx, documentId: string, requestId: string, agorot: number): Promise<void> {
  await sql`insert into asked_payments (company_id, id, request_id, document_id, agorot)
    values (${ctx.companyId}, ${newId()}, ${requestId}, ${documentId}, ${agorot})`.execute(ctx.tx)
  await sql`update documents set asked_agorot = asked_agorot - ${agorot},
      status = status_of(asked_agorot - ${agorot}, total_agorot), updated_at = now()
    where company_id = ${ctx.companyId} and id = ${requestId}`.execute(ctx.tx)
}

/**
 * The newest invoice that was made from lines of a request, other than `but`, and what the lines that are
 * left may still ask for.
 */
async function invoiceInPlace(
  ctx: Ctx,
  requestId: string,
  but: string,
): Promise<{ id: string; stillAsked: number } | undefined> {
  const { rows } = await sql<{
    id: string | null
    stillAsked: number
  }>`select (select d.id from document_lines t
        join documents d on d.company_id = t.company_id and d.id = t.document_id
        where t.company_id = ${ctx.companyId} and t.source_document_id = ${requestId}
          and t.takes > 0 and ${isInvoice('d')} and ${isLive('d')} and d.id <> ${but}
          order by d.issued_at desc, d.id desc limit 1) as id,
      coalesce(round(sum(l.total_agorot * greatest(0, l.quantity - taken.sum) / nullif(l.quantity, 0))),
      0)::bigint as "stillAsked"
    from document_lines l, lateral (select coalesce(sum(t.takes), 0) as sum from document_lines t
        join documents d on d.company_id = t.company_id and d.id = t.document_id
        where t.company_id = l.company_id and t.source_document_id = l.document_id
          and t.source_line = l.line and ${isInvoice('d')} and ${isLive('d')}
          and d.id <> ${but}) taken
    where l.company_id = ${ctx.companyId} and l.document_id = ${requestId}`.execute(ctx.tx)
  const [row] = rows
  return row?.id ? { id: row.id, stillAsked: row.stillAsked } : undefined
}
