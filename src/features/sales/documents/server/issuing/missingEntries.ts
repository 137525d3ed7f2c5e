import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { entryOf } from '#domain/ledger/entry.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { isIssued, isTaxDocument } from '#kit/server/data/documentFacts.ts'
import { accountIds, postAll, type Entry } from '#features/base/ledger/server/index.ts'
import { onlyAllowed } from '../list/list.ts'
import { typeById } from '../../types/index.ts'

interface Stored {
  id: string
  type: number
  number: number
  day: Day
  customerId: string
  customer: string
  subject: string
  net: number
  held: number
  vat: number
  total: number
  lines: { account: string | null; net: number }[]
  payments: { account: string; amount: number }[]
}

/** An issued document that has no entry in the books although its lines, its VAT or its rounding are not zero. */
export interface MissingEntry extends Pick<Stored, 'id' | 'type' | 'number' | 'day' | 'customer'> {
  /** What it would have posted as it was issued. */
  entries: Entry[]
}

/**
 * Issued documents without the entry they should have, and that entry: earlier versions took a total of zero for nothing
 * to post. What another program's file brought has that program's entries.
 */
export async function missingEntries(ctx: Ctx, documents?: readonly string[]): Promise<MissingEntry[]> {
  const { rows } = await sql<Stored>`select d.id, d.type, d.number, d.day, d.customer_id as "customerId",
      coalesce(d.customer->>'name', '') as customer, d.subject, d.ils_net_agorot as net,
      d.ils_held_agorot as held, d.ils_vat_agorot as vat, d.ils_total_agorot as total,
      coalesce((select jsonb_agg(jsonb_build_object('account', l.account_id, 'net', l.ils_net_agorot)
      order by l.line)
        from document_lines l where l.company_id = d.company_id and l.document_id = d.id), '[]') as lines,
      coalesce((select jsonb_agg(jsonb_build_object('account', y.account_id, 'amount', y.ils_agorot)
      order by y.line)
        from document_payments y where y.company_id = d.company_id and y.document_id = d.id), '[]') as
          payments
    from documents d where d.company_id = ${ctx.companyId} and ${isIssued('d')} and ${isTaxDocument('d')}
      and d.ils_total_agorot = 0 ${documents ? sql`and d.id = any(${[...documents]}::uuid[])` : sql``}
      and d.customer_id is not null and d.series not like '%#opening'${onlyAllowed(ctx, 'd.type')}
      and (d.ils_vat_agorot <> 0 or d.ils_net_agorot <> 0 or exists (select 1 from document_lines l
        where l.company_id = d.company_id and l.document_id = d.id and l.ils_net_agorot <> 0))
      and not exists (select 1 from entries e where e.company_id = d.company_id and e.document_id = d.id
        and e.kind <> 'exchangeDifference')
      and not exists (select 1 from uniform_papers u where u.company_id = d.company_id
      and u.document_id = d.id)
    order by d.day, d.type, d.number`.execute(ctx.tx)
  const accounts = rows.length ? await accountIds(ctx) : undefined
  return rows.flatMap((d) => {
    const { id, type, number, day, customer } = d
    const entries = entriesFor(d, accounts!)
    return entries.length ? [{ id, type, number, day, customer, entries }] : []
  })
}

function entriesFor(d: Stored, accounts: Awaited<ReturnType<typeof accountIds>>): Entry[] {
  const type = typeById(d.type)
  const lines = d.lines.filter((line): line is { account: string; net: number } => line.account !== null)
  const isIncome = type?.incomeItself !== undefined && (d.net !== 0 || d.held !== 0)
  const rounding = d.total - d.net - d.vat
  const made =
    type?.posts?.(
      {
        lines,
        vat: d.vat,
        rounding,
        total: d.total,
        payments: d.payments,
      },
      {
        customers: accounts.of('customers'),
        party: d.customerId,
        outputVat: d.vat ? accounts.of('outputVat') : '',
        rounding: rounding ? accounts.of('rounding') : '',
        trustDeposits: '',
      },
      isIncome,
    ) ?? []
  return made
    .map(({ kind, postings }) => ({
      id: newId(),
      day: d.day,
      kind: kind ?? type!.name,
      documentId: d.id,
      reference: String(d.number),
      details: d.subject || d.customer,
      postings: entryOf(postings),
    }))
    .filter(({ postings }) => postings.length)
}

/**
 * Posts the missing entries of these documents, each on the day of its document, all or none. A document that has its
 * entry by now is left as it is. The periods must be open. Answers what was posted.
 */
export async function postMissingEntries(
  ctx: Ctx,
  documents: readonly string[],
  reason: string,
): Promise<MissingEntry[]> {
  // Of two people who start at once the second finds it done.
  await sql`select 1 from documents where company_id = ${ctx.companyId}
      and id = any(${[...documents]}::uuid[])
    order by id for update`.execute(ctx.tx)
  const missing = await missingEntries(ctx, documents)
  for (const { id, entries } of missing)
    await ctx.audit('documents.postMissing', 'documents', id, undefined, {
      reason,
      entries: entries.map((entry) => entry.id),
    })
  await postAll(
    ctx,
    missing.flatMap(({ entries }) => entries),
  )
  return missing
}
