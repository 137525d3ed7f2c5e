import { sql } from 'kysely'
import { fail, Failure } from '../../../kit/describe/errors.ts'
import { databaseFailures } from '../../../kit/server/api.ts'
import { newId, type Ctx } from '../../../kit/server/context.ts'
import { accountIds, entryForDatabase } from '../../ledger/server/index.ts'
import { allocationStateOf, byOf, columnsOf, linesOf } from './keep.ts'
import { isTaxDocument, type Prepared } from './prepare.ts'

databaseFailures.PK001 = () => fail('documents.frozen')
databaseFailures.PK004 = (e) =>
  new Failure('kit.badInput', {}, [{ path: 'date', code: 'documents.dateBeforeLastOfSeries', params: { last: e.message } }])

const paperDelay = 20

export interface Issued {
  id: string
  number: number
}

/**
 * Issues a document: next number of its series, frozen, posted, and what comes after queued, all in one statement. The number exists
 * when the call returns and is lost with nothing else.
 */
export async function issue(
  ctx: Ctx,
  p: Prepared,
  existing?: { id: string; page_key: string; created_at: string; created_by: string | null },
  more: { reason?: string } = {},
): Promise<Issued> {
  if (!p.content.lines.length) throw new Failure('kit.badInput', {}, [{ path: 'lines', code: 'fields.need' }])
  if (!p.customer) throw new Failure('kit.badInput', {}, [{ path: 'customerId', code: 'documents.noCustomer' }])
  if (isTaxDocument(p.type) && p.day > ctx.today)
    throw new Failure('kit.badInput', {}, [{ path: 'date', code: 'documents.dateInFuture', params: { day: p.day, today: ctx.today } }])

  const id = existing?.id ?? newId()
  const accounts = await accountIds(ctx)
  const itemAccounts = await accountsOfItems(ctx, p)
  const income = accounts.byNumber('4000')
  if (!income) throw fail('ledger.noAccount', { number: '4000' })
  // Sales at zero rate stand apart in the books; the VAT return asks for them by themselves.
  const abroad = accounts.byNumber('4020') ?? income
  const lines = linesOf(p, (itemAccount, vatClass) => itemAccount ?? (vatClass === 'zero' ? abroad : income), itemAccounts)

  const postings = p.type.posts?.(
    {
      lines: lines.map((l, i) => ({ account: l.account_id as string, net: p.ils.lines[i]!.net })),
      vat: p.ils.vat,
      rounding: p.ils.rounding,
      total: p.ils.total,
    },
    {
      customers: accounts.of('customers'),
      customer: p.customerId!,
      outputVat: p.ils.vat ? accounts.of('outputVat') : '',
      rounding: p.ils.rounding ? accounts.of('rounding') : '',
    },
  )
  const entry = postings?.length
    ? entryForDatabase(ctx, {
        id: newId(),
        day: p.day,
        kind: p.type.name,
        documentId: id,
        details: p.content.subject || p.customer.name,
        postings,
      })
    : null
  const document = {
    ...columnsOf(ctx, p, id, existing),
    status: p.type.debt !== 0 && p.ils.total === 0 ? 'closed' : 'issued',
    open_agorot: p.type.debt * p.ils.total,
    allocation_state: allocationStateOf(p),
    issued_by: byOf(ctx),
    reason: more.reason ?? '',
  }
  // Whoever issues usually opens or sends the paper at once and so has it made; the job only catches what nobody opened, and stays
  // out of the way of people who are issuing one after another.
  const jobs = [{ id: newId(), name: 'documents.paper', payload: { documentId: id }, delaySeconds: paperDelay }]
  const rules = { first: 1, allowEarlier: p.company.backDating, carriesVat: isTaxDocument(p.type) }
  const audit = { id: newId(), userId: ctx.caller.userId, address: ctx.address, after: { type: p.type.name, totalAgorot: p.totals.total } }
  const { rows } = await sql<{
    number: number
  }>`select issue_document(${ctx.companyId}, ${JSON.stringify(document)}::jsonb, ${JSON.stringify(lines)}::jsonb,
    ${entry ? JSON.stringify(entry) : null}::jsonb, ${JSON.stringify(jobs)}::jsonb, ${JSON.stringify(rules)}::jsonb, ${JSON.stringify(audit)}::jsonb) as number`.execute(
    ctx.tx,
  )
  return { id, number: rows[0]!.number }
}

async function accountsOfItems(ctx: Ctx, p: Prepared): Promise<Map<string, string>> {
  const ids = [...new Set(p.content.lines.flatMap((l) => l.itemId ?? []))]
  if (!ids.length) return new Map()
  const { rows } = await sql<{
    id: string
    account_id: string | null
  }>`select id, account_id from items where company_id = ${ctx.companyId} and id = any(${ids}::uuid[])`.execute(ctx.tx)
  if (rows.length !== ids.length) throw new Failure('kit.badInput', {}, [{ path: 'lines', code: 'fields.ref' }])
  return new Map(rows.flatMap((r) => (r.account_id ? [[r.id, r.account_id]] : [])))
}
