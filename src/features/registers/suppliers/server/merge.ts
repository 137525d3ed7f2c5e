import { sql } from 'kysely'
import { failField } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { oneRow } from '#kit/server/data/lists.ts'
import {
  bankOf,
  bankStays,
  mergeParties,
  type MergedRegister,
  type Merging,
} from '#features/registers/parties/server/index.ts'
import { bankFields, type Supplier } from '../suppliers.ts'
import { writeBank } from './changeBank.ts'
import { served } from './served.ts'

const register: MergedRegister = {
  role: 'supplier',
  served,
  saving: served,
  errors: { merged: 'suppliers.merged', itself: 'suppliers.mergeItself' },
  apart: bankFields,
}

/**
 * Several records of suppliers become one. The bank account and the certificates are each chosen as a whole
 * (`from.bank`, `from.certificates`); an account that replaces a known one causes the same warning as any other
 * change of account.
 */
export async function merge(
  ctx: Ctx,
  given: { keepId: string; ids: string[]; from: Record<string, string> },
) {
  const { keep, merged } = await mergeParties(ctx, register, given)
  await settleAccount(ctx, keep, merged, given.from.bank)
  await settleCertificates(ctx, keep, merged, given.from.certificates)
  return { id: keep.id, merged: merged.length }
}

async function settleAccount(
  ctx: Ctx,
  keep: Merging,
  merged: readonly Merging[],
  chosen: string | undefined,
): Promise<void> {
  const source = bankStays([keep, ...merged], chosen)
  if (!source || source === keep) return
  await writeBank(ctx, await oneRow<Supplier>(ctx, served, keep.id), bankOf(source))
  // A recently changed account stays so under the new record too.
  await sql`update parties t set bank_changed_at = greatest(t.bank_changed_at, s.bank_changed_at),
      bank_changed_by = coalesce(t.bank_changed_by, s.bank_changed_by)
    from parties s where s.company_id = t.company_id and s.id = ${source.id}
      and t.company_id = ${ctx.companyId} and t.id = ${keep.id}`.execute(ctx.tx)
}

/**
 * The chosen one's certificates hold from now on, and the others' are put away: what was withheld by them
 * stays explained.
 */
async function settleCertificates(
  ctx: Ctx,
  keep: Merging,
  merged: readonly Merging[],
  chosen: string | undefined,
): Promise<void> {
  const all = [keep, ...merged].map(({ id }) => id)
  if (chosen && !all.includes(chosen)) throw failField('from.certificates', 'fields.choice')
  const { rows } = await sql<{
    id: string
    party: string
  }>`select id, party_id as party from withholding_certificates
    where company_id = ${ctx.companyId} and party_id = any(${all}::uuid[]) and archived_at is null
    order by array_position(${all}::uuid[], party_id), id for update`.execute(ctx.tx)
  const from = chosen ?? rows[0]?.party
  for (const { id, party } of rows)
    if (party !== from) {
      await sql`update withholding_certificates set archived_at = ${ctx.now.toISOString()}, updated_at = now()
        where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
      await ctx.audit('withholdingCertificates.archive', 'withholdingCertificates', id)
    } else if (party !== keep.id)
      await sql`update withholding_certificates set party_id = ${keep.id}, updated_at = now()
        where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
}
