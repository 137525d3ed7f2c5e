import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import type { LeadKind, LeadStage } from '../endpoints.ts'

const usual = [
  ['new', '#3c6ea6', 'open', 2, 1000],
  ['talked', '#0f766a', 'open', 5, 3000],
  ['quoted', '#b07a35', 'open', 7, 5000],
  ['dealing', '#86508f', 'open', 7, 7500],
  ['won', '#0b5d52', 'won', null, 10_000],
  ['lost', '#5b6660', 'lost', null, 0],
] as const

const read = async (ctx: Ctx): Promise<LeadStage[]> => {
  const { rows } =
    await sql<LeadStage>`select id, name, color, outcome, stale_days as "staleDays", kind_id as "kindId"
      from lead_stages
    where company_id = ${ctx.companyId} and archived_at is null order by position, created_at, id`.execute(
      ctx.tx,
    )
  return rows
}

/**
 * The stages in their order; the usual ones are made when they are first looked for, in the language of the
 * business.
 */
export async function stagesOf(ctx: Ctx): Promise<LeadStage[]> {
  const found = await read(ctx)
  if (found.length) return found
  const { language } = await companyOf(ctx)
  // Two who look first at once: the key lets one in, and the other begins again and finds them.
  for (const [position, [name, color, outcome, staleDays, chance]] of usual.entries())
    await sql`insert into lead_stages (company_id, id, name, color, position, outcome, stale_days, chance_bp,
      on_quote)
      values (${ctx.companyId}, ${newId()}, ${say(language, `leadStages.usual.${name}`)}, ${color},
        ${position}, ${outcome}, ${staleDays}, ${chance}, ${name === 'quoted'})`.execute(ctx.tx)
  return read(ctx)
}

/** Where a lead of a kind begins. */
export async function firstStage(ctx: Ctx, kindId: string | null): Promise<LeadStage> {
  const stages = await stagesOf(ctx)
  const first = stages.find((one) => one.outcome === 'open' && (one.kindId === null || one.kindId === kindId))
  if (!first) throw fail('leads.needsStages')
  return first
}

export async function stageFor(ctx: Ctx, id: string): Promise<LeadStage> {
  const stage = (await stagesOf(ctx)).find((one) => one.id === id)
  if (!stage) throw fail('kit.notFound')
  return stage
}

export async function kindsOf(ctx: Ctx): Promise<LeadKind[]> {
  const { rows } =
    await sql<LeadKind>`select id, name, fields from lead_kinds where company_id = ${ctx.companyId}
        and archived_at is null order by name, id`.execute(ctx.tx)
  return rows
}

export async function setKindFields(
  ctx: Ctx,
  {
    id,
    fields,
  }: { id: string; fields: (Omit<LeadKind['fields'][number], 'id'> & { id?: string | undefined })[] },
): Promise<LeadKind> {
  const kept = fields.map((field) => ({ ...field, id: field.id ?? newId() }))
  const { rows } =
    await sql<LeadKind>`update lead_kinds set fields = ${JSON.stringify(kept)}::jsonb, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id} and archived_at is null
    returning id, name, fields`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  await ctx.audit('leadKinds.change', 'leadKinds', id, undefined, { fields: kept.map(({ name }) => name) })
  return rows[0]
}
