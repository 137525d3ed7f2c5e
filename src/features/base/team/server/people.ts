import { sql, type RawBuilder } from 'kysely'
import { documentTypeById } from '#domain/documents/kinds.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { allRules, isUnlimited } from '#kit/describe/session.ts'
import { databaseFailures } from '#kit/server/contract/failures.ts'
import type { Caller, Ctx } from '#kit/server/context.ts'
import { oneRow, type ListSource } from '#kit/server/data/lists.ts'
import type { StarterName } from '../starters.ts'
import { isWithin, tidyRules, type Grant } from '../rights.ts'
import { workers, type Worker } from '../workers.ts'

// The database refuses the same as the commands do, should one forget to ask.
databaseFailures.PK011 = () => fail('team.beyondYours')
databaseFailures.PK012 = () => fail('team.lastOwner')

/** A business's own people have these types; an accountant is a guest and has separate screens. */
const ownTypes = [4, 8, 9]

const source = (types: readonly number[] | undefined): ListSource => ({
  resource: workers,
  noArchive: true,
  compute: {
    setName: sql`(select s.name from permission_sets s where s.company_id = t.company_id
        and s.number = t.rule_id)`,
    rulesCount: sql`case when allows_all(t.rules) then null else cardinality(t.rules)::text end`,
    documentTypes: sql`nullif(cardinality(t.docs_allow), 0)::text`,
  },
  extra: {
    ruleId: sql`t.rule_id`,
    rules: sql`case when allows_all(t.rules) then '{}' else t.rules end`,
    docsAllow: sql`t.docs_allow`,
    hideNavHeader: sql`t.hide_nav_header`,
    isActiveButton: sql`t.is_active_button`,
    language: sql`t.language`,
    expiresAt: sql`t.expires_at`,
    refundLimitAgorot: sql`coalesce((select m.refund_limit_agorot from memberships m
      where m.company_id = t.company_id and m.user_id = t.id),
      (select i.refund_limit_agorot from invitations i where i.company_id = t.company_id and i.id = t.id))`,
    chargeLimitAgorot: sql`coalesce((select m.charge_limit_agorot from memberships m
      where m.company_id = t.company_id and m.user_id = t.id),
      (select i.charge_limit_agorot from invitations i where i.company_id = t.company_id and i.id = t.id))`,
  },
  only: () => (types ? [sql<boolean>`t.type_id = any(${types}::int[])`] : []),
})

export const workerList = source(ownTypes)
const everybody = source(undefined)

/** A worker of the business or somebody invited; 404 for accountants and strangers. */
export const oneWorker = (ctx: Ctx, id: string): Promise<Worker> => oneRow<Worker>(ctx, workerList, id)
/** Anybody of the business, accountants too. */
export const onePerson = (ctx: Ctx, id: string): Promise<Worker> => oneRow<Worker>(ctx, everybody, id)

export const grantOf = ({
  rules,
  docsAllow,
  hideTotalPrices,
  ownCustomersOnly,
}: Caller | Worker | Settled): Grant => ({
  rules,
  docsAllow,
  hideTotalPrices,
  ownCustomersOnly,
})

export const refuseBeyond = (ctx: Ctx, given: Grant): void => {
  if (!isWithin(given, grantOf(ctx.caller))) throw fail('team.beyondYours')
}

/** Rights with everything settled, as they are stored. */
export interface Settled extends Grant {
  ruleId: number
  hideNavHeader: boolean
  isActiveButton: boolean
}

export interface GivenRights extends Partial<{ [K in keyof Settled]: Settled[K] | undefined }> {
  starter?: StarterName | undefined
  everything?: boolean | undefined
}

export const rightNames = [
  'rules',
  'docsAllow',
  'hideTotalPrices',
  'ownCustomersOnly',
  'hideNavHeader',
] as const
/** What was said, without what was left out. */
export const given = <T extends object>(of: T): Partial<T> =>
  Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as Partial<T>

export const touchesRights = (of: GivenRights): boolean =>
  of.ruleId !== undefined ||
  of.starter !== undefined ||
  of.isActiveButton !== undefined ||
  rightNames.some((name) => of[name] !== undefined)

/** Known numbers only, in one order; refuses what no feature declares and no document is. */
export function checkedLists(of: { rules?: number[] | undefined; docsAllow?: number[] | undefined }) {
  const known = new Set(allRules().values())
  const rules = of.rules && tidyRules(of.rules)
  if (rules?.some((rule) => !known.has(rule))) throw failField('rules', 'fields.choice')
  if (of.docsAllow?.some((type) => !documentTypeById(type))) throw failField('docsAllow', 'fields.choice')
  return given({ rules, docsAllow: of.docsAllow && [...new Set(of.docsAllow)].sort((a, b) => a - b) })
}

/** An empty list means everything: the person who makes one says so. */
export function refuseSilentEverything(
  after: Grant,
  before: Grant | undefined,
  everything: boolean | undefined,
): void {
  if (everything) return
  if (isUnlimited(after.rules) && !(before && isUnlimited(before.rules)))
    throw failField('rules', 'team.clearPermissions')
  // The person who was never limited to kinds of documents is not asked.
  if (before && before.docsAllow.length > 0 && after.docsAllow.length === 0)
    throw failField('docsAllow', 'team.clearPermissions')
}

/** The columns of rights, the same in memberships and invitations. */
export const rightColumns = (
  of: Settled,
): RawBuilder<unknown> => sql`rule_id = ${of.ruleId}, rules = ${of.rules}::int[],
    docs_allow = ${of.docsAllow}::smallint[],
  hide_total_prices = ${of.hideTotalPrices}, own_customers_only = ${of.ownCustomersOnly},
  hide_nav_header = ${of.hideNavHeader}, is_active_button = ${of.isActiveButton}`

export const settledOf = (one: Worker): Settled => ({
  ...grantOf(one),
  ruleId: one.ruleId,
  hideNavHeader: one.hideNavHeader,
  isActiveButton: one.isActiveButton,
})

/** Writes rights to a person, in or still invited. */
export async function writeRights(ctx: Ctx, one: Worker, rights: Settled): Promise<void> {
  if (one.state === 'invited')
    await sql`update invitations set ${rightColumns(rights)}, updated_at = now()
      where company_id = ${ctx.companyId} and id = ${one.id}`.execute(ctx.tx)
  else
    await sql`update memberships set ${rightColumns(rights)} where company_id = ${ctx.companyId}
        and user_id = ${one.id}`.execute(ctx.tx)
}
