import { sql } from 'kysely'
import type { z } from 'zod'
import { addDays, addMonths } from '#domain/day.ts'
import { chargesVat } from '#domain/documents/kinds.ts'
import { sum } from '#domain/money.ts'
import { Failure, fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { asks, isOpen } from '#kit/server/data/documentFacts.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { onlyAllowed, owedNow } from '#features/sales/documents/server/index.ts'
import { workOutPayment } from '#features/purchases/expenses/server/index.ts'
import type { Chosen, CreditProposal, DebitProposal, workOutCredits as workOutCall } from '../endpoints.ts'

/** So long the person who pays is warned that the account is another than before. */
const warnedDays = 30
/** A mandate nobody debited by for so long may be gone at the bank without a word. */
const unusedMonths = 12

interface Account {
  bank: string
  branch: string
  account: string
  iban: string | null
}

const accountOf = sql`coalesce(p.bank_code::text, '') as bank, coalesce(p.bank_branch, '') as branch,
    coalesce(p.bank_account, '') as account, p.iban`

/** The centre knows accounts in Israel only. */
const bankHindrance = ({ bank, branch, account, iban }: Account) =>
  bank && branch && account ? null : iban ? ('abroad' as const) : ('noBank' as const)

/**
 * How many bills in another currency are due: the centre pays shekels, and what such a bill costs is known
 * when it is paid.
 */
export async function foreignBills(ctx: Ctx, until: string): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from expenses e where e.company_id = ${ctx.companyId} and e.open_agorot > 0
    and e.state = 'approved' and e.currency <> 'ILS' and coalesce(e.due_day, e.day) <= ${until}`.execute(
    ctx.tx,
  )
  return rows[0]!.count
}

/**
 * Suppliers with approved bills in shekels that are due, in the order in which they are due; a supplier's
 * credits are taken off. The tax is that of the day they are paid on.
 */
export async function creditProposals(ctx: Ctx, until: string, payDay?: string): Promise<CreditProposal[]> {
  const { rows } = await sql<
    Account & {
      supplierId: string
      name: string
      email: string | null
      changed: boolean
      bills: { id: string; number: string; dueDay: string; openAgorot: number }[]
    }
  >`select p.id as "supplierId", p.name, p.email, ${accountOf},
      coalesce(p.bank_changed_at > ${addDays(ctx.today, -warnedDays)}::date, false) as changed,
      jsonb_agg(jsonb_build_object('id', e.id, 'number', e.supplier_number, 'dueDay',
      coalesce(e.due_day, e.day), 'openAgorot', e.open_agorot)
        order by coalesce(e.due_day, e.day), e.id) as bills
    from expenses e join parties s on s.company_id = e.company_id and s.id = e.supplier_id
      join parties p on p.company_id = s.company_id and p.id = coalesce(s.merged_into, s.id)
    where e.company_id = ${ctx.companyId} and e.open_agorot <> 0 and e.currency = 'ILS'
      and e.state = 'approved' and coalesce(e.due_day, e.day) <= ${until}
    group by p.company_id, p.id order by min(coalesce(e.due_day, e.day)), p.name limit 500`.execute(ctx.tx)
  const proposals: CreditProposal[] = []
  for (const { changed, iban, ...row } of rows) {
    const gross = sum(row.bills.map((b) => b.openAgorot))
    const { withheldAgorot, netAgorot } = await workOutPayment(ctx, {
      supplierId: row.supplierId,
      grossAgorot: gross,
      date: payDay,
    })
    proposals.push({
      ...row,
      grossAgorot: gross,
      withheldAgorot,
      netAgorot,
      bankChanged: changed,
      hindrance: netAgorot <= 0 ? 'nothing' : bankHindrance({ ...row, iban }),
    })
  }
  return proposals
}

/**
 * The chosen bills with their amounts, in the currency of the books: the given amounts, or all that is open. Refuses
 * what cannot be paid by a file.
 */
export async function withSums(
  ctx: Ctx,
  chosen: Chosen,
): Promise<{ supplierId: string; bills: { id: string; agorot: number }[] }[]> {
  const { rows } = await sql<{
    id: string
    supplierId: string
    number: string
    currency: string
    state: string
    open: number | null
  }>`select e.id, coalesce(s.merged_into, s.id) as "supplierId", e.supplier_number as number, e.currency,
      e.state, e.open_agorot as open
    from expenses e join parties s on s.company_id = e.company_id and s.id = e.supplier_id
    where e.company_id = ${ctx.companyId}
      and e.id = any(${chosen.flatMap(({ bills }) => bills.map((b) => b.id))}::uuid[])`.execute(ctx.tx)
  const found = new Map(rows.map((row) => [row.id, row]))
  return chosen.map(({ supplierId, bills }, i) => ({
    supplierId,
    bills: bills.map(({ id, amountAgorot }, at) => {
      const bill = found.get(id)
      if (!bill || bill.supplierId !== supplierId) throw fail('kit.notFound')
      if (bill.currency !== 'ILS') throw fail('masav.foreign', { number: bill.number })
      if (bill.state !== 'approved') throw fail('expenses.notApproved')
      if (!bill.open) throw fail('expenses.nothingOpen')
      const agorot = amountAgorot ?? bill.open
      if (!agorot || Math.sign(agorot) !== Math.sign(bill.open) || Math.abs(agorot) > Math.abs(bill.open))
        throw new Failure('kit.badInput', {}, [
          { path: `suppliers.${i}.bills.${at}.amountAgorot`, code: 'fields.range' },
        ])
      return { id, agorot }
    }),
  }))
}

/**
 * What chosen bills come to if they are paid on a day, today when none is said, by the same rule that pays
 * them.
 */
export async function workOutCredits(
  ctx: Ctx,
  chosen: Chosen,
  payDay?: string,
): Promise<z.output<typeof workOutCall.output>['rows']> {
  const { rows: accounts } = await sql<
    Account & { id: string }
  >`select p.id, ${accountOf} from parties p where p.company_id = ${ctx.companyId}
      and p.id = any(${chosen.map((one) => one.supplierId)}::uuid[])`.execute(ctx.tx)
  const answer: z.output<typeof workOutCall.output>['rows'] = []
  for (const { supplierId, bills } of await withSums(ctx, chosen)) {
    const grossAgorot = sum(bills.map((b) => b.agorot))
    const { withheldAgorot, netAgorot, rateBp, reason } = await workOutPayment(ctx, {
      supplierId,
      grossAgorot,
      date: payDay,
    })
    answer.push({
      supplierId,
      grossAgorot,
      withheldAgorot,
      netAgorot,
      rateBp,
      reason,
      hindrance: netAgorot <= 0 ? 'nothing' : bankHindrance(accounts.find((one) => one.id === supplierId)!),
    })
  }
  return answer
}

interface OpenInvoice extends Account {
  documentId: string
  number: number
  type: number
  dueDay: string
  customerId: string
  name: string
  openAgorot: number
  reference: string | null
  since: string | null
  ceilingAgorot: number | null
  signedId: string | null
  lastUsedOn: string | null
  isAsked: boolean
}

/**
 * Invoices in shekels that are open and due, and wait in no other file; those of `only` when it is given. A
 * business that issues no tax invoices asks for money by requests, and collects those.
 */
export async function debitProposals(
  ctx: Ctx,
  { until, only }: { until?: string; only?: readonly string[] },
): Promise<DebitProposal[]> {
  const onlyAsked = chargesVat((await companyOf(ctx)).kind) ? sql`false` : asks('d')
  const { rows } = await sql<OpenInvoice>`select d.id as "documentId", d.number, d.type,
        coalesce(d.due_day, d.day) as "dueDay", p.id as "customerId", p.name,
      w.owed as "openAgorot", ${accountOf}, m.reference, m.since,
      m.ceiling_agorot as "ceilingAgorot",
      m.sign_request_id as "signedId",
      (select max(r.pay_day) from masav_lines l join masav_runs r on r.company_id = l.company_id
      and r.id = l.run_id
        where l.company_id = p.company_id and l.party_id in (p.id, c.id) and r.direction = 'debit'
          and l.undone_at is null and r.pay_day >= m.since)::text as "lastUsedOn",
          exists (select 1 from sign_requests r where r.company_id = p.company_id and r.purpose = 'mandate'
          and r.customer_id = p.id
        and r.state in ('sent', 'inProgress', 'sealing')) as "isAsked"
    from documents d join ${owedNow(ctx)} w on w.id = d.id and w.owed > 0
      join parties c on c.company_id = d.company_id and c.id = d.customer_id
      join parties p on p.company_id = c.company_id and p.id = coalesce(c.merged_into, c.id)
      left join debit_mandates m on m.company_id = p.company_id and m.party_id = p.id and m.ended_at is null
    where d.company_id = ${ctx.companyId} and (d.open_agorot > 0 or ${onlyAsked} and d.asked_agorot > 0)
      and d.currency = 'ILS' and ${isOpen('d')}${onlyAllowed(ctx, 'd.type')}
      and (${until ?? null}::date is null or coalesce(d.due_day, d.day) <= ${until ?? null})
      and (${only === undefined} or d.id = any(${only ?? []}::uuid[]))
      and not exists (select 1 from masav_lines l where l.company_id = d.company_id and l.document_id = d.id
      and l.receipt_id is null and l.returned_on is null
        and l.undone_at is null)
    order by (m.reference is null), coalesce(d.due_day, d.day), d.number limit 1000`.execute(ctx.tx)
  const stale = addMonths(ctx.today, -unusedMonths)
  return rows.map(({ reference, since, ceilingAgorot, signedId, lastUsedOn, iban, ...row }) => ({
    ...row,
    mandate:
      reference && since
        ? { reference, since, ceilingAgorot, signedId, lastUsedOn, isStale: (lastUsedOn ?? since) < stale }
        : null,
    hindrance:
      reference === null
        ? 'noMandate'
        : ceilingAgorot !== null && row.openAgorot > ceilingAgorot
          ? 'aboveCeiling'
          : bankHindrance({ ...row, iban }),
  }))
}
