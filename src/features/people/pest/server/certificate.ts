import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { formatDay } from '#domain/format.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { refuseUnprintable } from '#kit/server/paper/printable.ts'
import { sealPdf } from '#kit/server/seal/seal.ts'
import { say } from '#kit/server/words.ts'
import { companyOf, logoOf, signerOf, businessOnPaper } from '#features/base/companies/server/index.ts'
import { letterPdf } from '#features/sales/documents/server/index.ts'

interface Done {
  number: number
  day: string
  pest: string
  substance: string
  registration: string
  amount: string
  unit: string
  area: string
  warnings: string
  reentry: number
  nextDay: string | null
  worker: string
  licence: string
  site: string
  address: string
  customer: string
  language: Language | null
  isArchived: boolean
}

/**
 * The certificate of a treatment: made when it is first asked for, sealed, and the same bytes ever after,
 * also of a treatment that was put away since: it was given out. One that was put away before gets none.
 */
export async function certificate(ctx: Ctx, { id }: { id: string }): Promise<FileAnswer> {
  const { rows } = await sql<Done>`select t.number, t.day, t.pest, t.substance, t.registration,
        trim_scale(t.amount)::text as amount, t.unit, t.area, t.warnings, t.reentry_hours as reentry,
      t.next_day as "nextDay", t.archived_at is not null as "isArchived", t.worker,
      t.licence_number as licence, s.name as site, s.address, coalesce(nullif(p.name_on_document, ''), p.name)
      as customer, p.language
    from pest_treatments t join pest_sites s on s.company_id = t.company_id and s.id = t.site_id
    join parties p on p.company_id = s.company_id and p.id = s.customer_id
    where t.company_id = ${ctx.companyId} and t.id = ${id} for update of t`.execute(ctx.tx)
  const [of] = rows
  if (!of) throw fail('kit.notFound')
  const name = `certificate-${of.number}.pdf`
  const { rows: kept } = await sql<{
    bytes: Buffer
  }>`select bytes from pest_certificates where company_id = ${ctx.companyId}
      and treatment_id = ${id}`.execute(ctx.tx)
  if (kept[0]) return { bytes: kept[0].bytes, mime: 'application/pdf', name, inline: true }
  if (of.isArchived) throw fail('kit.notFound')
  refuseUnprintable(of)
  const company = await companyOf(ctx)
  const language = of.language ?? company.language
  const line = (key: string, value: string) =>
    value ? `${say(language, `pest.paper.${key}`)}: ${value}` : ''
  const body = [
    [
      line('site', [of.site, of.address].filter(Boolean).join(', ')),
      line('day', formatDay(of.day)),
      line('pest', of.pest),
      line('area', of.area),
    ],
    [
      line('substance', of.substance),
      line('registration', of.registration),
      line('amount', `${of.amount} ${say(language, `pesttreatments.unit.${of.unit}`)}`),
    ],
    [line('worker', of.worker), line('licence', of.licence)],
    [
      of.reentry > 0 ? say(language, 'pest.paper.reentry', { hours: of.reentry }) : '',
      line('warnings', of.warnings),
      of.nextDay ? line('next', formatDay(of.nextDay)) : '',
    ],
  ]
    .map((part) => part.filter(Boolean).join('\n'))
    .filter(Boolean)
    .join('\n\n')
  const logo = await logoOf(ctx)
  const signer = await signerOf(ctx)
  const reason = say(language, 'pest.paper.sealReason')
  const plain = await letterPdf({
    language,
    day: of.day,
    madeAt: ctx.now,
    title: say(language, 'pest.paper.title', { number: String(of.number) }),
    body,
    isDraft: false,
    business: businessOnPaper({ ...company, website: '' }, logo, language),
    customer: { name: of.customer, address: [of.address].filter(Boolean) },
    settings: { layout: company.layout, accent: company.accent },
  })
  const sealed = Buffer.from(sealPdf(Buffer.from(plain), signer, { name: company.name, reason, at: ctx.now }))
  await sql`insert into pest_certificates (company_id, treatment_id, bytes, sha256)
    values (${ctx.companyId}, ${id}, ${sealed}, ${createHash('sha256').update(sealed).digest()})`.execute(
    ctx.tx,
  )
  await ctx.audit('pest.certificate', 'pesttreatments', id, undefined, { number: of.number })
  return { bytes: sealed, mime: 'application/pdf', name, inline: true }
}
