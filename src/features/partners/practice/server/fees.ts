import { sql } from 'kysely'
import { can } from '#kit/describe/session.ts'
import { forbidden } from '#kit/describe/errors.ts'
import { asCaller, type Ctx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { say } from '#kit/server/words.ts'
import { callerElsewhere } from '#features/base/session/server/index.ts'
import { createCustomer } from '#features/registers/parties/server/index.ts'
import { keepPrepared, prepareDocument } from '#features/sales/documents/server/index.ts'
import { managedOffice, type Who } from './office.ts'

interface Owing {
  clientId: string
  name: string
  taxId: string
  email: string
  feeAgorot: number
}

/**
 * Creates drafts of invoices for the fees of a month in the office's own business, one per client and month, however
 * often it is called. The client is the customer with the same number, and is created when there is none.
 */
export async function chargeFees(
  who: Who,
  { month: name }: { month: string },
): Promise<{ count: number; sumAgorot: number }> {
  const office = await managedOffice(who)
  const caller = await callerElsewhere(who.app, office.id, who.caller)
  if (!caller || !can(caller, 'documents.draft')) throw forbidden({ rule: 'documents.draft' })
  const month = `${name}-01`
  // What the office knows of its clients by the engagement: their names and numbers.
  const owing = await asSystem(who.app.db, async (tx) => {
    const { rows } = await sql<Owing>`select e.client_id as "clientId", c.name, c.tax_id as "taxId", c.email,
          e.fee_agorot as "feeAgorot" from engagements e join companies c on c.id = e.client_id
      where e.company_id = ${office.id} and e.state = 'active' and e.fee_agorot > 0
        and not exists (select 1 from office_fees f where f.company_id = e.company_id
        and f.client_id = e.client_id and f.month = ${month}) order by c.name, c.id`.execute(tx)
    return rows
  })
  let count = 0
  let sumAgorot = 0
  for (const one of owing)
    if (await asCaller(who.app, caller, '', (ctx) => chargeOne(ctx, one, month))) {
      count++
      sumAgorot += one.feeAgorot
    }
  return { count, sumAgorot }
}

async function chargeOne(
  ctx: Ctx,
  { clientId, name, taxId, email, feeAgorot }: Owing,
  month: string,
): Promise<boolean> {
  // Of two who charge at once the second waits here, and finds it charged.
  await sql`select 1 from offices where company_id = ${ctx.companyId} for update`.execute(ctx.tx)
  const { rows: known } =
    await sql`select 1 from office_fees where company_id = ${ctx.companyId} and client_id = ${clientId}
        and month = ${month}`.execute(ctx.tx)
  if (known.length) return false
  const { rows } = await sql<{
    id: string
  }>`select id from parties where company_id = ${ctx.companyId} and role = 'customer' and tax_id = ${taxId}
      and archived_at is null order by created_at limit 1`.execute(ctx.tx)
  const customerId =
    rows[0]?.id ?? (await createCustomer(ctx, { name, taxId, ...(email ? { email } : {}) })).id
  const description = say(ctx.caller.language, 'practice.feeLine', {
    month: `${month.slice(5, 7)}/${month.slice(0, 4)}`,
  })
  const unitPrice = `${Math.floor(feeAgorot / 100)}.${String(feeAgorot % 100).padStart(2, '0')}`
  const documentId = await keepPrepared(
    ctx,
    await prepareDocument(ctx, {
      type: 8,
      customerId,
      lines: [{ description, quantity: '1', unitPrice }],
    } as never),
  )
  await sql`insert into office_fees (company_id, client_id, month, document_id, fee_agorot, made_by)
    values (${ctx.companyId}, ${clientId}, ${month}, ${documentId}, ${feeAgorot},
      ${ctx.caller.userId})`.execute(ctx.tx)
  return true
}
