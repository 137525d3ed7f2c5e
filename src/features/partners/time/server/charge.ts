import { sql } from 'kysely'
import { addDays, endOfMonth, momentAt, type Day } from '#domain/day.ts'
import { sumRates } from '#domain/hours/hours.ts'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { say } from '#kit/server/words.ts'
import { harmless } from '#kit/server/described/exports/table.ts'
import { keepPrepared, prepareDocument } from '#features/sales/documents/server/index.ts'
import type { hoursBy } from '../endpoints.ts'
import { absentIn, allTerms, daysOf, momentsOf, teamOf } from './sheets.ts'

/** Minutes of an hour as a decimal of four places: ten minutes are 0.1667; the price is of the hour. */
const hoursText = (minutes: number): string =>
  (Math.round((minutes * 10_000) / 60) / 10_000).toFixed(4).replace(/\.?0+$/, '')

const minutesOf = sql`floor(extract(epoch from c.ended_at) / 60) -
    floor(extract(epoch from c.started_at) / 60)`

/**
 * Hours of a customer onto the draft of an invoice. The clockings are marked in the same transaction, under
 * their rows' locks: of two who charge at once the second finds nothing. A draft that is deleted gives them
 * back.
 */
export async function chargeHours(
  ctx: Ctx,
  { customerId, from, to, hourPrice }: { customerId: string; from: Day; to: Day; hourPrice: string },
): Promise<{ documentId: string; minutes: number }> {
  if (!can(ctx.caller, 'documents.draft')) throw forbidden({ rule: 'documents.draft' })
  const { rows } = await sql<{
    id: string
    project: string | null
    task: string
    person: string
    minutes: number
  }>`select c.id, p.name as project, c.task, u.full_name as person, (${minutesOf})::int as minutes
    from clockings c join users u on u.id = c.person_id left join projects p on p.company_id = c.company_id
      and p.id = c.project_id
    where c.company_id = ${ctx.companyId} and c.customer_id = ${customerId} and c.archived_at is null
      and c.ended_at is not null and c.document_id is null
      and c.started_at >= ${momentAt(from, 0).toISOString()}
      and c.started_at < ${momentAt(addDays(to, 1), 0).toISOString()}
    order by p.name nulls last, u.full_name, c.started_at for update of c`.execute(ctx.tx)
  const groups = new Map<string, { project: string | null; person: string; minutes: number }>()
  for (const { project, person, minutes } of rows) {
    const key = `${project ?? ''}\n${person}`
    const group = groups.get(key) ?? { project, person, minutes: 0 }
    group.minutes += minutes
    groups.set(key, group)
  }
  const lines = [...groups.values()].filter(({ minutes }) => minutes > 0)
  if (!lines.length) throw fail('time.nothing')
  const { language } = ctx.caller
  const content = {
    type: 8 as const,
    customerId,
    lines: lines.map(({ project, person, minutes }) => ({
      description: say(language, project ? 'time.paper.projectLine' : 'time.paper.line', {
        project: project ?? '',
        person,
      }),
      quantity: hoursText(minutes),
      unitPrice: hourPrice,
    })),
  }
  const documentId = await keepPrepared(ctx, await prepareDocument(ctx, content as never))
  await sql`update clockings set document_id = ${documentId}, updated_at = now()
    where company_id = ${ctx.companyId} and id = any(${rows.map(({ id }) => id)}::uuid[])`.execute(ctx.tx)
  const minutes = lines.reduce((all, line) => all + line.minutes, 0)
  await ctx.audit('time.charge', 'documents', documentId, undefined, { customerId, from, to, minutes })
  return { documentId, minutes }
}

/** Hours of a period by worker, project or customer. */
export async function report(
  ctx: Ctx,
  { from, to, by }: { from: Day; to: Day; by: (typeof hoursBy)[number] },
) {
  const of = {
    worker: [sql`c.person_id`, sql`u.full_name`],
    project: [sql`c.project_id`, sql`p.name`],
    customer: [sql`c.customer_id`, sql`k.name`],
  }[by]
  const { rows } = await sql<{
    id: string | null
    name: string
    minutes: number
    chargedMinutes: number
    clockings: number
  }>`select ${of[0]!} as id, coalesce(${of[1]!}, '') as name,
      sum(${minutesOf})::int as minutes,
      coalesce(sum(${minutesOf}) filter (where c.document_id is not null), 0)::int as "chargedMinutes",
      count(*)::int as clockings
    from clockings c join users u on u.id = c.person_id left join projects p on p.company_id = c.company_id
      and p.id = c.project_id
      left join parties k on k.company_id = c.company_id and k.id = c.customer_id
    where c.company_id = ${ctx.companyId} and c.archived_at is null and c.ended_at is not null
      and c.started_at >= ${momentAt(from, 0).toISOString()}
      and c.started_at < ${momentAt(addDays(to, 1), 0).toISOString()}
    group by 1, 2 order by 3 desc, 2`.execute(ctx.tx)
  return { rows, minutes: rows.reduce((all, row) => all + row.minutes, 0) }
}

const cell = (text: string): string => `"${harmless(text).replace(/"/g, '""')}"`
const hundredths = (minutes: number): string => ((minutes * 100) / 60 / 100).toFixed(2)
const rates = [100, 125, 150, 175, 200]

/**
 * The month for payroll: hours as decimals of two places, by what they are paid, and days of absence by kind.
 */
export async function payrollFile(ctx: Ctx, { month: name }: { month: string }): Promise<FileAnswer> {
  const month = `${name}-01`
  const team = await teamOf(ctx, { month: name })
  const terms = await allTerms(ctx)
  const { to } = momentsOf(month)
  const { rows: all } = await sql<{
    personId: string
    startedAt: string
    endedAt: string | null
  }>`select person_id as "personId", started_at as "startedAt", ended_at as "endedAt" from clockings
    where company_id = ${ctx.companyId} and archived_at is null and ended_at is not null
    and started_at >= ${momentAt(addDays(month, -6), 0).toISOString()} and started_at < ${to}
    order by started_at`.execute(ctx.tx)
  const { rows: away } = await sql<{
    personId: string
    kind: string
    from: Day
    to: Day
  }>`select person_id as "personId", kind, from_day as "from", to_day as "to" from absences
    where company_id = ${ctx.companyId} and archived_at is null and from_day <= ${endOfMonth(month)}
      and to_day >= ${month}`.execute(ctx.tx)
  const { language } = ctx.caller
  const kinds = ['vacation', 'sick', 'reserve', 'other']
  const head = [
    say(language, 'time.file.worker'),
    say(language, 'time.file.month'),
    say(language, 'time.file.days'),
    ...rates.map((rate) => `${rate}%`),
    ...kinds.map((kind) => say(language, `time.absence.${kind}`)),
    say(language, 'time.file.signed'),
  ]
  const lines = team.rows.map((row) => {
    const days = daysOf(
      all.filter(({ personId }) => personId === row.personId),
      terms.get(row.personId) ?? [],
      month,
    )
    const byRate = sumRates(days)
    return [
      cell(row.person),
      name,
      String(days.length),
      ...rates.map((rate) => hundredths(byRate[rate] ?? 0)),
      ...kinds.map((kind) =>
        String(
          away
            .filter((one) => one.personId === row.personId && one.kind === kind)
            .reduce((sum, one) => sum + absentIn(one, month), 0),
        ),
      ),
      row.approvedAt ? '1' : '0',
    ]
  })
  const text = `\ufeff${[head.map(cell), ...lines].map((line) => line.join(',')).join('\r\n')}\r\n`
  await ctx.audit('time.payroll', 'companies', ctx.companyId, undefined, { month: name })
  return { bytes: Buffer.from(text), mime: 'text/csv; charset=utf-8', name: `hours-${name}.csv` }
}
