import { sql } from 'kysely'
import { isDay } from '#domain/day.ts'
import { readTerms } from '#domain/documents/writtenTerms.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { checkWithin, wholeShare } from '#kit/server/contract/bounds.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import type { ExportColumn } from '#kit/server/described/exports/table.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import type { ServedResource } from '#kit/server/described/resources.ts'
import { say } from '#kit/server/words.ts'
import { bankFields } from '../bank.ts'
import { customers } from '../customers.ts'
import { settledBank } from './bank.ts'

/** The customer and the records merged into it. */
const group = sql`(g.id = t.id or g.merged_into = t.id)`

/**
 * The customer's balance in the books: what the customer owes, negative when we owe it. What is posted to a merged
 * record is included.
 */
const balance = sql`coalesce((select sum(m.debit_agorot - m.credit_agorot) from party_months m
  where m.company_id = t.company_id and m.party_id = t.id), 0)::bigint +
    coalesce((select sum(m.debit_agorot - m.credit_agorot) from parties g
  join party_months m on m.company_id = g.company_id and m.party_id = g.id where g.company_id = t.company_id
    and g.merged_into = t.id), 0)::bigint`

const nameFrom = (table: string, column: string) =>
  sql<string>`(select x.name from ${sql.table(table)} x where x.company_id = t.company_id
      and x.id = t.${sql.ref(column)})`

/** Asked once in a transaction: a file of customers brings them by the hundred. */
const known = new WeakMap<Ctx, Promise<OwnField[]>>()

/** Own fields as the business has them now, in their order. */
export function ownFields(ctx: Ctx): Promise<OwnField[]> {
  const found = known.get(ctx) ?? readOwnFields(ctx)
  known.set(ctx, found)
  return found
}

async function readOwnFields(ctx: Ctx): Promise<OwnField[]> {
  const { rows } = await sql<OwnField>`select id, name, kind, choices, needed from customer_fields
    where company_id = ${ctx.companyId} and archived_at is null order by position, name`.execute(ctx.tx)
  return rows
}

export interface OwnField {
  id: string
  name: string
  kind: 'text' | 'number' | 'day' | 'choice' | 'flag'
  choices: string[]
  needed: boolean
}

export type OwnValues = Record<string, string | number | boolean | null>

const fits: Record<OwnField['kind'], (value: unknown, field: OwnField) => boolean> = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  day: (value) => typeof value === 'string' && isDay(value),
  choice: (value, { choices }) => choices.includes(String(value)),
  flag: (value) => typeof value === 'boolean',
}

/** Checks the values of own fields; values of fields no longer in use stay as they were. */
function checkOwn(fields: OwnField[], given: OwnValues, before: OwnValues, strict: boolean): OwnValues {
  const values = { ...before }
  for (const [id, value] of Object.entries(given)) {
    const field = fields.find((one) => one.id === id)
    if (value === null || value === '') delete values[id]
    else if (!field) {
      if (values[id] !== value) throw failField('own', 'fields.unknown', { keys: id })
    } else if (!fits[field.kind](value, field))
      throw failField('own', 'fields.ownWrong', { name: field.name })
    else values[id] = value
  }
  const missing = strict ? fields.find((one) => one.needed && values[one.id] === undefined) : undefined
  if (missing) throw failField('own', 'fields.ownNeeded', { name: missing.name })
  return values
}

/** Terms as they are kept, however they were written; refuses what means none. */
export function settledTerms(given: unknown): string {
  const terms = readTerms(String(given))
  if (!terms) throw failField('dueTerms', 'fields.choice')
  return terms
}

/**
 * 'eom:30' as people say it, where that is understood when a file is imported; a rare number of days has separate
 * forms.
 */
export function saidTerms(terms: unknown, language: Language): string {
  const [kind = '', days] = String(terms).split(':')
  const words = say(language, `documents.terms.${kind}`, { days: Number(days ?? 0) })
  return readTerms(words) === terms ? words : String(terms)
}

async function check(
  ctx: Ctx,
  given: Record<string, unknown>,
  before: Record<string, unknown> | undefined,
  strict: boolean,
): Promise<Record<string, unknown>> {
  const values = { ...given }
  if (values.dueTerms) values.dueTerms = settledTerms(values.dueTerms)
  checkWithin('withholdsBp', values.withholdsBp, wholeShare)
  if (values.withholdsFile && !/^9\d{8}$/.test(String(values.withholdsFile)))
    throw failField('withholdsFile', 'fields.withholdingFile')
  checkWithin('creditLimitAgorot', values.creditLimitAgorot, { min: 0 })
  const after = {
    ...before,
    ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)),
  } as typeof values
  if (after.blocked && !after.blockedReason) throw failField('blockedReason', 'fields.need')
  if (!after.blocked && after.blockedReason) values.blockedReason = null
  Object.assign(values, settledBank(values, before))
  // A person who sees only their own customers assigns new ones to themselves, and none to others.
  if (ctx.caller.ownCustomersOnly) {
    if (!before) values.agentId ??= ctx.caller.userId
    if ('agentId' in values && values.agentId !== ctx.caller.userId)
      throw failField('agentId', 'fields.onlyOwn')
  }
  if (values.own !== undefined || (strict && !before))
    values.own = checkOwn(
      await ownFields(ctx),
      (values.own ?? {}) as OwnValues,
      (before?.own ?? {}) as OwnValues,
      strict,
    )
  return values
}

/** The register of customers as its calls serve it. */
export const served: ServedResource = {
  marks: 'customers',
  resource: customers,
  // A key held to drafts adds a name and how to reach it. Credit (the type brings terms too), tax and bank are for a
  // person.
  forDrafts: {
    create: {
      except: [
        ...bankFields,
        'typeId',
        'dueTerms',
        'creditLimitAgorot',
        'zeroRate',
        'zeroGround',
        'exemptGround',
        'withholdsBp',
        'withholdsUntil',
        'withholdsFile',
        'blocked',
      ],
    },
  },
  compute: {
    balanceAgorot: sql`(${balance})`,
    aboveLimitAgorot: sql`case when t.credit_limit_agorot is not null then
        greatest(${balance} - t.credit_limit_agorot, 0)::bigint end`,
    lastDocumentDay: sql`(select max(d.day) from parties g join documents d on d.company_id = g.company_id
        and d.customer_id = g.id
      where g.company_id = t.company_id and ${group} and ${isIssued('d')})`,
  },
  refNames: {
    typeId: nameFrom('customer_types', 'type_id'),
    statusId: nameFrom('customer_statuses', 'status_id'),
    portfolioId: nameFrom('portfolios', 'portfolio_id'),
    agentId: nameFrom('agents', 'agent_id'),
    mergedIntoId: nameFrom('parties', 'merged_into'),
  },
  extra: {
    mergedIds: sql`array(select g.id from parties g where g.company_id = t.company_id
        and g.merged_into = t.id)`,
    statusColor: sql`(select x.color from customer_statuses x where x.company_id = t.company_id
        and x.id = t.status_id)`,
    typeDueTerms: sql`(select x.due_terms from customer_types x where x.company_id = t.company_id
        and x.id = t.type_id)`,
    typeDiscountBp: sql`(select x.discount_bp from customer_types x where x.company_id = t.company_id
        and x.id = t.type_id)`,
  },
  beforeSave: async (ctx, values, before) => {
    const checked = await check(ctx, values, before, true)
    // The person in charge of a customer is in charge of the records merged into it.
    if (before && 'agentId' in checked)
      await sql`update parties set agent_id = ${checked.agentId} where company_id = ${ctx.companyId}
          and merged_into = ${String(before.id)}`.execute(ctx.tx)
    return checked
  },
  beforeMove: (_ctx, row, to) =>
    to === 'restore' && row.mergedIntoId ? Promise.reject(fail('customers.merged')) : Promise.resolve(),
  whenImported: { source: 'imported' },
  inFiles: { dueTerms: saidTerms },
  moreInputs: async (ctx) =>
    (await ownFields(ctx)).map(({ id, name, kind, choices }) => ({
      key: id,
      title: name,
      field: {
        kind: kind === 'number' ? 'quantity' : kind,
        ...(kind === 'choice' ? { of: choices } : {}),
        ...(kind === 'text' ? { max: 2000 } : {}),
      },
      put: (values, value) => ({
        ...values,
        own: {
          ...(values.own as OwnValues | undefined),
          [id]: kind === 'number' ? Number(value) : (value as string | boolean),
        },
      }),
    })),
  moreColumns: async (ctx) => {
    const fields = await ownFields(ctx)
    return {
      columns: fields.map(({ id, name, kind }): ExportColumn => ({
        name: id,
        field: { kind: kind === 'choice' ? 'text' : kind === 'number' ? 'quantity' : kind },
        title: name,
        words: '',
      })),
      valuesOf: (row) =>
        Object.fromEntries(
          fields.map(({ id, kind }) => {
            const value = (row.own as OwnValues)[id]
            return [id, kind === 'flag' && value === undefined ? null : value]
          }),
        ),
    }
  },
}

/**
 * A customer created in passing (in a document, or by self-registration): the business's required custom fields are
 * filled in later.
 */
export const servedOnTheWay: ServedResource = {
  ...served,
  beforeSave: (ctx, values, before) => check(ctx, values, before, false),
}
