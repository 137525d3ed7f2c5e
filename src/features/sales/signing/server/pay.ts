import { sql } from 'kysely'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import { fail } from '#kit/describe/errors.ts'
import type { OpenCtx } from '#kit/server/context.ts'
import { byKey } from './page.ts'
import { linkOf, payDoor, sumOf } from './payDoor.ts'
import { refuseTurn } from './turn.ts'

/** The page on which a signer pays what a field asks for: the same one however often it is requested. */
export const pay = (
  ctx: OpenCtx,
  { key, visit, field: id }: { key: string; visit?: string | undefined; field: string },
): Promise<{ url: string }> =>
  byKey(
    ctx,
    key,
    async (inside, { r, s }) => {
      refuseTurn(r, s, visit, inside.now)
      const field = r.fields.find((one) => one.id === id && one.kind === 'pay' && one.role === s.role)
      const door = payDoor()
      const agorot = field && sumOf(field, r.sumAgorot)
      if (!field || !agorot || !door) throw fail('kit.notFound')
      const before = await linkOf(inside, s, id)
      const known = before ? await door.find(inside, before) : undefined
      if (known?.state === 'paid') throw fail('signing.isPaid')
      if (known?.state === 'open') return { url: known.url }
      const made = await door.open(inside, {
        description: (field.label ? `${r.name} – ${field.label}` : r.name).slice(0, 200),
        agorot,
        customerId: r.customerId,
        email: s.email,
        language: s.language,
        expiresOn: addDays(dayInJerusalem(new Date(r.expiresAt)), 1),
      })
      await sql`insert into sign_payments (company_id, signer_id, field, link_id)
        values (${inside.companyId}, ${s.id}, ${id}, ${made.id})
        on conflict (company_id, signer_id, field) do update set link_id = excluded.link_id`.execute(
        inside.tx,
      )
      return { url: made.url }
    },
    true,
  )
