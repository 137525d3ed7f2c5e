import { sql } from 'kysely'
import { formatMoney } from '#domain/format.ts'
import { accountsIn, questionsOf, type Question } from '#domain/papers/guard.ts'
import type { Proposal } from '#domain/papers/proposal.ts'
import type { Ctx } from '#kit/server/context.ts'
import { groupOf } from '#features/registers/parties/server/index.ts'
import type { PaperQuestion } from '../endpoints.ts'

const usual = 24

/** Questions about a document as a bill of this supplier, day, number and total. */
export async function questionsAbout(
  ctx: Ctx,
  paper: { proposal: Proposal; text: string },
  bill: { supplierId: string | null; day: string; number: string; total: number },
): Promise<PaperQuestion[]> {
  const { proposal } = paper
  const { rows: own } = await sql<{ taxId: string }>`select tax_id as "taxId" from companies
    where id = ${ctx.companyId}`.execute(ctx.tx)
  const { rows: suppliers } = await sql<{
    bank: number | null
    branch: string | null
    number: string | null
  }>`select bank_code as bank, bank_branch as branch, bank_account as number from parties
    where company_id = ${ctx.companyId} and id = ${bill.supplierId}`.execute(ctx.tx)
  const { rows: earlier } = bill.supplierId
    ? await sql<{
        day: string
        number: string
        total: number
      }>`select day, supplier_number as number, total_agorot as total from expenses
        where company_id = ${ctx.companyId} and supplier_id in ${groupOf(ctx, bill.supplierId)}
          and state not in ('rejected', 'cancelled') and total_agorot > 0
        order by day desc, id desc limit ${usual}`.execute(ctx.tx)
    : { rows: [] }
  const { bank, branch, number } = suppliers[0] ?? {}
  return questionsOf(
    {
      day: bill.day,
      number: bill.number,
      total: Math.abs(bill.total),
      isCredit: bill.total < 0 || proposal.documentKind?.value === 'credit',
      supplierTaxId: proposal.supplierTaxId?.value ?? null,
      buyerTaxId: proposal.buyerTaxId?.value ?? null,
      isOwn: proposal.ownDocument?.value ?? false,
      prepaid: proposal.prepaid?.value ?? 0,
      accounts: accountsIn(paper.text),
    },
    {
      today: ctx.today,
      ownTaxId: own[0]?.taxId ?? null,
      account: bank && number ? { bank, branch: branch ?? '', number } : null,
      earlier,
    },
  ).map(said)
}

const said = ({ name, agorot, day, number }: Question): PaperQuestion => ({
  code: `expenses.${name}`,
  params: {
    ...(agorot === undefined ? {} : { sum: formatMoney(agorot) }),
    ...(day === undefined ? {} : { day }),
    ...(number === undefined ? {} : { number: number || '-' }),
  },
})
