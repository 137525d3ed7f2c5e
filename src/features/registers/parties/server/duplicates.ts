import { sql, type RawBuilder } from 'kysely'
import { normaliseTaxId } from '#domain/taxId.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { Sameness, Twin } from '../endpoints.ts'

export interface Marks {
  taxId?: string | null | undefined
  email?: string | null | undefined
  phone?: string | null | undefined
  mobile?: string | null | undefined
  except?: string | undefined
}

/** Shorter numbers are extensions and short codes: they tell nobody apart. */
const shortestPhone = 7
/** What remains of a number however it is written; as the column phone_key has it. */
export const phoneDigits = (phone: string): string => phone.replace(/\D/g, '').replace(/^(00)?972/, '0')

const digits = (phone: string | null | undefined): string | undefined => {
  const plain = phone ? phoneDigits(phone) : undefined
  return plain && plain.length >= shortestPhone ? plain : undefined
}

/**
 * Customers (or suppliers) with the same number, phone or mail, the living before those put away; at most
 * five.
 */
export async function twinsOf(
  ctx: Ctx,
  marks: Marks,
  role: 'customer' | 'supplier' = 'customer',
): Promise<Twin[]> {
  const taxId = marks.taxId ? normaliseTaxId(marks.taxId) : undefined
  const email = marks.email?.trim().toLowerCase() || undefined
  const phones = [...new Set([digits(marks.phone), digits(marks.mobile)].filter((one) => one !== undefined))]
  const same: [Sameness, RawBuilder<boolean>][] = [
    ...(taxId ? [['taxId', sql<boolean>`p.tax_id = ${taxId}`] as [Sameness, RawBuilder<boolean>]] : []),
    ...(phones.length
      ? [
          ['phone', sql<boolean>`(p.phone_key = any(${phones}) or p.mobile_key = any(${phones}))`] as [
            Sameness,
            RawBuilder<boolean>,
          ],
        ]
      : []),
    ...(email ? [['email', sql<boolean>`p.email = ${email}`] as [Sameness, RawBuilder<boolean>]] : []),
  ]
  if (same.length === 0) return []
  const { rows } = await sql<Twin>`
    select p.id, p.name, p.tax_id as "taxId", p.city, p.archived_at is not null as archived,
      array_remove(array[${sql.join(same.map(([by, is]) => sql`case when ${is} then ${by}::text end`))}],
      null) as by
    from parties p where p.company_id = ${ctx.companyId} and p.role = ${role} and p.merged_into is null
      and p.id is distinct from ${marks.except ?? null}::uuid and (${sql.join(
        same.map(([, is]) => is),
        sql` or `,
      )})
    order by p.archived_at is not null, p.created_at limit 5`.execute(ctx.tx)
  return rows
}

interface Group {
  by: Sameness
  ids: string[]
  names: string[]
}

/**
 * Likely doubles among the living customers (or suppliers), the surest sign first; those of one group once.
 */
export async function doubles(
  ctx: Ctx,
  role: 'customer' | 'supplier' = 'customer',
): Promise<{ groups: Group[] }> {
  const { rows } = await sql<Group>`
    with marks as (
      select p.id, p.name, m.by, m.mark, m.n from parties p, lateral (values
        ('taxId', p.tax_id, 1), ('phone', p.mobile_key, 2), ('phone', p.phone_key, 2), ('email', p.email, 3),
        ('name', p.name_key, 4)) m (by, mark, n)
      where p.company_id = ${ctx.companyId} and p.role = ${role} and p.archived_at is null
        and m.mark is not null and m.mark <> '' and (m.by <> 'phone' or length(m.mark) >= ${shortestPhone})
    ), one as (select distinct id, name, by, mark, n from marks)
    select by, array_agg(id order by id) as ids, array_agg(name order by id) as names
    from one group by by, mark, n having count(*) > 1 order by n, count(*) desc, mark limit 200`.execute(
    ctx.tx,
  )
  const seen = new Set<string>()
  return {
    groups: rows
      .filter(({ ids }) => {
        const key = ids.join()
        if (seen.has(key)) return false
        seen.add(key)
        return true
      })
      .slice(0, 100),
  }
}
