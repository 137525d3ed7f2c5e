import { sql, type RawBuilder } from 'kysely'
import { isDay } from '#domain/day.ts'
import { fold } from '#domain/fold.ts'
import { phoneKey } from '#domain/phone.ts'
import { failField } from '#kit/describe/errors.ts'
import { checkWithin, wholeShare } from '#kit/server/contract/bounds.ts'
import type { Ctx } from '#kit/server/context.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import { asSearched } from '#kit/server/data/lists.ts'
import type { ServedResource } from '#kit/server/described/resources.ts'
import { ring } from '#features/people/bell/server/index.ts'
import { checkMember, rankFor, widthOf } from '#features/people/tasks/server/index.ts'
import { categoryTree, inCategory } from '#features/registers/items/server/index.ts'
import { leadCategories } from '../categories.ts'
import { leadKinds, leads, leadSources, leadStages, type KindField } from '../leads.ts'
import { firstStage, kindsOf } from './stages.ts'

export const leadOrder = { table: 'leads', column: 'stage_id', action: 'leads.move' } as const

/** The leads this caller sees, as conditions over `t`. */
export function seen(ctx: Ctx): RawBuilder<boolean>[] {
  const width = widthOf(ctx, 'leads')
  if (width === 'all') return []
  const own = sql`t.owner_id = ${ctx.caller.userId} or t.created_by = ${ctx.caller.userId}`
  return [
    width === 'own'
      ? sql<boolean>`(${own})`
      : sql<boolean>`(${own} or t.owner_id = any (team_mates(${ctx.companyId})))`,
  ]
}

/** Nothing has happened for longer than its stage allows: no step planned ahead, and none taken. */
export const stale = sql<boolean>`(t.outcome = 'open'
    and (t.next_day is null or t.next_day < (now() at time zone 'Asia/Jerusalem')::date)
    and exists (select 1 from lead_stages s
  where s.company_id = t.company_id and s.id = t.stage_id and s.stale_days is not null
    and greatest(t.stage_at, coalesce(t.first_answer_at, t.stage_at)) < now() -
    make_interval(days => s.stale_days)))`

const fits: Record<KindField['kind'], (value: unknown, field: KindField) => boolean> = {
  text: (value) => typeof value === 'string' && value.length <= 2000,
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  day: (value) => typeof value === 'string' && isDay(value),
  choice: (value, { choices }) => choices.includes(String(value)),
  flag: (value) => typeof value === 'boolean',
}

/**
 * The values of a kind's own fields. Required ones are required of people, not of what arrives automatically.
 */
export async function checkOwn(
  ctx: Ctx,
  kindId: string | null,
  given: Record<string, unknown>,
  before: Record<string, unknown>,
  strict: boolean,
): Promise<Record<string, unknown>> {
  const fields = kindId ? ((await kindsOf(ctx)).find(({ id }) => id === kindId)?.fields ?? []) : []
  const values: Record<string, unknown> = { ...before }
  for (const [id, value] of Object.entries(given)) {
    const field = fields.find((one) => one.id === id)
    if (value === null || value === '') delete values[id]
    else if (!field) {
      if (values[id] !== value) throw failField('own', 'fields.unknown', { keys: id.slice(0, 40) })
    } else if (!fits[field.kind](value, field))
      throw failField('own', 'fields.ownWrong', { name: field.name })
    else values[id] = value
  }
  const missing = strict ? fields.find((one) => one.needed && values[one.id] === undefined) : undefined
  if (missing) throw failField('own', 'fields.ownNeeded', { name: missing.name })
  return values
}

const nameFrom = (table: string, column: string) =>
  sql<string>`(select x.name from ${sql.table(table)} x where x.company_id = t.company_id
      and x.id = t.${sql.ref(column)})`

export const served: ServedResource = {
  resource: leads,
  forDrafts: { create: true, change: true },
  compute: {
    isStale: stale,
    answerMinutes: sql`(extract(epoch from t.first_answer_at - t.created_at) / 60)::int`,
  },
  refNames: {
    sourceId: nameFrom('lead_sources', 'source_id'),
    kindId: nameFrom('lead_kinds', 'kind_id'),
    categoryId: sql`category_path(t.company_id, t.category_id)`,
    stageId: nameFrom('lead_stages', 'stage_id'),
    ownerId: sql`(select u.full_name from users u where u.id = t.owner_id)`,
    customerId: nameFrom('parties', 'customer_id'),
    quoteId: sql`(select coalesce(d.number::text, '') from documents d where d.company_id = t.company_id
        and d.id = t.quote_id)`,
  },
  extra: {
    stageColor: sql`(select s.color from lead_stages s where s.company_id = t.company_id
        and s.id = t.stage_id)`,
    stageOutcome: sql`(select s.outcome from lead_stages s where s.company_id = t.company_id
        and s.id = t.stage_id)`,
  },
  only: seen,
  filters: { categoryId: inCategory },
  search: (q) => {
    const part = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
    return sql`(t.name ilike ${part(q)} or ${sql.join(
      asSearched(q).map((one) => sql`t.folded like ${`%${one}%`}`),
      sql` or `,
    )})`
  },
  beforeSave: async (ctx, given, before) => {
    const values = { ...given }
    const now = { ...before, ...values }
    await checkRef(ctx, 'sourceId', 'lead_sources', values.sourceId)
    await checkRef(ctx, 'kindId', 'lead_kinds', values.kindId)
    await checkRef(
      ctx,
      'categoryId',
      'categories',
      values.categoryId,
      sql`kind = 'leads' and archived_at is null`,
    )
    await checkMember(ctx, 'ownerId', [values.ownerId as string | null])
    checkWithin('chanceBp', values.chanceBp, wholeShare)
    checkWithin('sumAgorot', values.sumAgorot, { min: 0 })
    if (values.phone && String(values.phone).replace(/\D/g, '').length < 7)
      throw failField('phone', 'fields.phone')
    if (ctx.caller.ownCustomersOnly) {
      if (!before) values.ownerId ??= ctx.caller.userId
      if ('ownerId' in values && values.ownerId !== ctx.caller.userId)
        throw failField('ownerId', 'fields.onlyOwn')
    }
    const isByHand = Boolean(ctx.caller.sessionId || ctx.caller.apiKey)
    if (values.own !== undefined || values.kindId !== undefined || !before)
      values.own = await checkOwn(
        ctx,
        (now.kindId as string | null) ?? null,
        (values.own ?? {}) as Record<string, unknown>,
        (before?.own ?? {}) as Record<string, unknown>,
        isByHand,
      )
    if (!before) {
      const stage = await firstStage(ctx, (now.kindId as string | null) ?? null)
      values.stageId = stage.id
      values.rank = await rankFor(ctx, leadOrder, null, { columnId: stage.id })
    }
    return values
  },
  // What is put away is known to nobody who brings leads: the same person asking again is a new lead.
  beforeMove: async (ctx, row, to) => {
    if (to === 'archive')
      await sql`delete from lead_marks where company_id = ${ctx.companyId}
          and lead_id = ${String(row.id)}`.execute(ctx.tx)
  },
}

/**
 * What follows from a lead that was made or changed: its search, whom it rings for, the trace of a new owner.
 */
export async function settle(
  ctx: Ctx,
  row: Record<string, unknown>,
  before?: Record<string, unknown>,
): Promise<void> {
  const id = String(row.id)
  const said = fold(
    [
      row.name,
      row.company,
      row.phone,
      String(row.phone ?? '').replace(/\D/g, ''),
      phoneKey(String(row.phone ?? '')),
      row.email,
      row.city,
      row.notes,
      ...((row.tags ?? []) as string[]),
    ]
      .map((one) => String(one ?? ''))
      .join(' '),
  ).slice(0, 6000)
  await sql`update leads set folded = ${said}, version = version - 1 where company_id = ${ctx.companyId}
      and id = ${id} and folded <> ${said}`.execute(ctx.tx)
  if (before && row.ownerId !== before.ownerId)
    await handedOver(ctx, {
      id,
      name: String(row.name),
      from: (before.ownerId as string | null) ?? null,
      to: (row.ownerId as string | null) ?? null,
    })
  else if (!before && row.ownerId)
    await ring(
      ctx,
      'lead.new',
      { entity: 'leads', id },
      { title: String(row.name), source: String(row.sourceIdName ?? '') },
      [String(row.ownerId)],
    )
}

/** The trace of a hand-over, and its ring. */
export async function handedOver(
  ctx: Ctx,
  {
    id,
    name,
    from,
    to,
    ruleId,
  }: { id: string; name: string; from: string | null; to: string | null; ruleId?: string | null },
): Promise<void> {
  await sql`insert into lead_handovers (company_id, id, lead_id, from_user, to_user, rule_id)
    values (${ctx.companyId}, new_event_id(), ${id}, ${from}, ${to}, ${ruleId ?? null})`.execute(ctx.tx)
  await ctx.audit('leads.handOver', 'leads', id, { to: from }, { to })
  await ring(ctx, 'lead.given', { entity: 'leads', id }, { title: name }, [to])
}

const counted = (column: string, and: RawBuilder<unknown> = sql``) =>
  sql`(select count(*) from leads l where l.company_id = t.company_id and l.${sql.ref(column)} = t.id
      and l.archived_at is null ${and})::int`

export const sorts: ServedResource[] = [
  {
    resource: leadStages,
    compute: { leads: counted('stage_id') },
    refNames: { kindId: nameFrom('lead_kinds', 'kind_id') },
    beforeSave: async (ctx, values, before) => {
      await checkRef(ctx, 'kindId', 'lead_kinds', values.kindId)
      checkWithin('chanceBp', values.chanceBp, wholeShare)
      checkWithin('staleDays', values.staleDays, { min: 1, max: 365 })
      // Leads in it would be won or lost all at once without anybody having said so.
      if (
        before &&
        values.outcome !== undefined &&
        values.outcome !== before.outcome &&
        Number(before.leads) > 0
      )
        throw failField('outcome', 'fields.fixed')
      if (!before) {
        await firstStage(ctx, null).catch(() => undefined)
        const { rows } = await sql<{
          n: number
        }>`select coalesce(max(position), -1) + 1 as n from lead_stages where company_id = ${ctx.companyId}
            and outcome = 'open'`.execute(ctx.tx)
        values = { ...values, position: rows[0]!.n }
      }
      return values
    },
    beforeMove: async (_ctx, row, to) => {
      if (to === 'archive' && Number(row.leads) > 0)
        throw failField('name', 'leads.stageInUse', { count: Number(row.leads) })
      return Promise.resolve()
    },
  },
  categoryTree(leadCategories, 'leads', {
    field: 'leads',
    of: (branch) =>
      sql`(select count(*) from leads l where l.company_id = t.company_id and l.archived_at is null
          and l.category_id in ${branch})::int`,
  }),
  {
    resource: leadKinds,
    compute: { leads: counted('kind_id'), fieldCount: sql`jsonb_array_length(t.fields)` },
  },
  {
    resource: leadSources,
    compute: { leads: counted('source_id'), won: counted('source_id', sql`and l.outcome = 'won'`) },
    refNames: {
      kindId: nameFrom('lead_kinds', 'kind_id'),
      ownerId: sql`(select u.full_name from users u where u.id = t.owner_id)`,
    },
    beforeSave: async (ctx, values) => {
      await checkRef(ctx, 'kindId', 'lead_kinds', values.kindId)
      await checkMember(ctx, 'ownerId', [values.ownerId as string | null])
      checkWithin('costMonthAgorot', values.costMonthAgorot, { min: 0 })
      return values
    },
  },
]
