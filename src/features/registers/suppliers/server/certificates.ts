import { sql } from 'kysely'
import { z } from 'zod'
import type { Day } from '#domain/day.ts'
import type { Agorot } from '#domain/money.ts'
import { usualCode } from '#domain/withholding/kinds.ts'
import {
  certificateOn,
  withholdingFor,
  type Withholding,
  type WithholdingCertificate,
} from '#domain/withholding/rate.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { checkWithin, wholeShare } from '#kit/server/contract/bounds.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { ServedResource } from '#kit/server/described/resources.ts'
import { withholdingCertificates } from '../withholdingCertificates.ts'

const isId = (text: unknown) => z.uuid().safeParse(text).success

export const servedCertificates: ServedResource = {
  resource: withholdingCertificates,
  compute: { fileId: sql`t.file_id::text` },
  refNames: {
    supplierId: sql`(select p.name from parties p where p.company_id = t.company_id and p.id = t.party_id)`,
  },
  beforeSave: async (ctx, values, before) => {
    const all = { ...before, ...values } as Partial<
      Record<'fromDay' | 'toDay' | 'booksToDay' | 'supplierId' | 'fileId', string>
    > & {
      rateBp?: number | null
      ceilingAgorot?: number | null
    }
    if (all.fromDay! > all.toDay!) throw failField('toDay', 'fields.dayOrder')
    checkWithin('rateBp', all.rateBp, wholeShare)
    checkWithin('ceilingAgorot', all.ceilingAgorot, { min: 1 })
    if (before && values.supplierId !== undefined && values.supplierId !== before.supplierId)
      throw failField('supplierId', 'fields.ref')
    if (!before) {
      const { rows } =
        await sql`select 1 from parties where company_id = ${ctx.companyId} and role = 'supplier'
            and id = ${all.supplierId}`.execute(ctx.tx)
      if (!rows.length) throw failField('supplierId', 'fields.ref')
    }
    if (values.fileId) {
      const found = isId(values.fileId)
        ? (
            await sql`select 1 from files where company_id = ${ctx.companyId}
                and id = ${values.fileId}`.execute(ctx.tx)
          ).rows
        : []
      if (!found.length) throw failField('fileId', 'fields.ref')
    }
    return values
  },
}

/** Living certificates of some suppliers. */
export async function certificatesOf(
  ctx: Ctx,
  supplierIds: readonly string[],
): Promise<Map<string, WithholdingCertificate[]>> {
  const { rows } = await sql<
    WithholdingCertificate & { supplierId: string }
  >`select id, party_id as "supplierId", from_day as "fromDay", to_day as "toDay",
    rate_bp as "rateBp", ceiling_agorot as "ceilingAgorot", books_valid as "booksValid",
    books_to_day as "booksToDay", created_at as "createdAt"
    from withholding_certificates where company_id = ${ctx.companyId}
      and party_id = any(${supplierIds}::uuid[]) and archived_at is null`.execute(ctx.tx)
  const bySupplier = new Map<string, WithholdingCertificate[]>()
  for (const { supplierId, ...certificate } of rows)
    bySupplier.set(supplierId, [...(bySupplier.get(supplierId) ?? []), certificate])
  return bySupplier
}

/**
 * What is to be withheld when a supplier is paid on a day, with the reason; of `amountAgorot` (VAT included)
 * also how much. `paidAgorot` is what was paid since the certificate began; the caller, who books payments,
 * knows it.
 */
export async function withholdingOn(
  ctx: Ctx,
  supplierId: string,
  day: Day,
  {
    amountAgorot = 0,
    paidSince,
  }: { amountAgorot?: Agorot; paidSince?: (from: Day, to: Day) => Promise<Agorot> } = {},
): Promise<Withholding & { ceilingAgorot: Agorot | null }> {
  const { rows } = await sql<{
    kind: string | null
    rateBp: number | null
    withoutBooksBp: number | null
  }>`select p.withholding_kind as kind,
      r.rate_bp as "rateBp", r.without_books_bp as "withoutBooksBp"
    from parties p left join lateral (select w.rate_bp, w.without_books_bp from withholding_rates w
      where w.company_id = p.company_id and w.code = coalesce(p.withholding_kind, ${usualCode})
        and w.from_day <= ${day} order by w.from_day desc limit 1) r on true
    where p.company_id = ${ctx.companyId} and p.role = 'supplier' and p.id = ${supplierId}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  const certificates = (await certificatesOf(ctx, [supplierId])).get(supplierId) ?? []
  const speaking = certificateOn(certificates, day)
  const paidAgorot =
    speaking && speaking.ceilingAgorot !== null && paidSince
      ? await paidSince(speaking.fromDay, speaking.toDay)
      : 0
  const { kind, rateBp, withoutBooksBp } = rows[0]
  // The law's rates of the day, unless the business had its own on it.
  const rates = rateBp === null || withoutBooksBp === null ? undefined : { rateBp, withoutBooksBp }
  return {
    ...withholdingFor({ day, kind, rates, certificates, amountAgorot, paidAgorot }),
    ceilingAgorot: speaking?.ceilingAgorot ?? null,
  }
}
