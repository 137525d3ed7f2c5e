import { sql } from 'kysely'
import { normaliseIban } from '#domain/iban.ts'
import { normaliseSwift } from '#domain/swift.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { columnOf } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { companyFields } from '../company.ts'
import type { Company, CompanyChange } from '../endpoints.ts'
import { refuseUnprintable } from '#kit/server/paper/printable.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import { openBooks } from '#features/base/ledger/server/index.ts'
import { isMeansList } from '../means.ts'
import { setVatFrequency } from './vatFrequencies.ts'

const names = Object.keys(companyFields) as (keyof typeof companyFields)[]
const columns = sql.join(
  names.map((name) => sql`c.${sql.ref(columnOf(name, companyFields[name]))} as ${sql.id(name)}`),
)

export async function companyOf(ctx: Ctx): Promise<Company> {
  const { rows } = await sql<Company>`/*=*/ select c.id, c.demo, c.test_of is not null as test, ${columns},
        l.company_id is not null as "hasLogo", l.updated_at as "logoVersion",
        coalesce((select
        jsonb_agg(jsonb_build_object('language', n.language, 'name', n.name, 'street', n.street,
            'city', n.city, 'bankDetails', n.bank_details) order by n.language)
          from company_languages n where n.company_id = c.id), '[]') as languages
    from companies c left join logos l on l.company_id = c.id where c.id = ${ctx.companyId}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/** The account for money from abroad as it is kept; refuses what can be no account. */
function accountOf({ iban, swift }: CompanyChange): Pick<CompanyChange, 'iban' | 'swift'> {
  const account: Pick<CompanyChange, 'iban' | 'swift'> = {}
  if (iban !== undefined) account.iban = iban && normaliseIban(iban)
  if (swift !== undefined) account.swift = swift && normaliseSwift(swift)
  if (iban && !account.iban) throw failField('iban', 'fields.iban')
  if (swift && !account.swift) throw failField('swift', 'companies.swift')
  return account
}

const terms = /^(now|net:\d{1,3}|eom:\d{1,3})$/

/** Settings change at once; what is issued keeps what it was issued with. */
export async function changeCompany(ctx: Ctx, { vatPeriodFrom, ...asked }: CompanyChange): Promise<Company> {
  const given = { ...asked, ...accountOf(asked) }
  refuseUnprintable(given)
  if (given.dueTerms !== undefined && !terms.test(given.dueTerms))
    throw failField('dueTerms', 'fields.choice')
  if (given.vatPeriodMonths !== undefined && ![1, 2].includes(given.vatPeriodMonths))
    throw failField('vatPeriodMonths', 'fields.choice')
  if (given.defaultVatKind !== undefined && ![1, 2, 3, 4].includes(given.defaultVatKind))
    throw failField('defaultVatKind', 'fields.choice')
  if (given.withholdingFile && !/^9\d{8}$/.test(given.withholdingFile))
    throw failField('withholdingFile', 'fields.withholdingFile')
  if (given.incomeTaxFile && !/^\d{9}$/.test(given.incomeTaxFile))
    throw failField('incomeTaxFile', 'fields.taxId')
  if (given.receiptMeans && !isMeansList(given.receiptMeans)) throw failField('receiptMeans', 'fields.choice')
  await checkRef(
    ctx,
    'transferAccountId',
    'accounts',
    given.transferAccountId,
    sql`kind = 'asset' and archived_at is null`,
  )
  const before = await companyOf(ctx)
  const changed = names.filter((name) => name in given && given[name] !== before[name])
  const isMonthsSet =
    given.vatPeriodMonths !== undefined &&
    (changed.includes('vatPeriodMonths') || vatPeriodFrom !== undefined)
  const since = isMonthsSet
    ? await setVatFrequency(ctx, given.vatPeriodMonths === 1 ? 1 : 2, vatPeriodFrom)
    : undefined
  if (!changed.length && since === undefined) return before
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from documents where company_id = ${ctx.companyId}
      and ${isIssued()}`.execute(ctx.tx)
  // The number of the business is on every issued document: another number is another business. An exempt dealer that
  // must become a licensed one, as its turnover passes the ceiling, keeps its number; its issued documents keep the
  // earlier kind.
  const becomesLicensed = before.kind === 'exemptDealer' && given.kind === 'licensedDealer'
  if (rows[0]!.n && (changed.includes('taxId') || (changed.includes('kind') && !becomesLicensed)))
    throw failField(changed.includes('taxId') ? 'taxId' : 'kind', 'companies.identityFixed')
  if (changed.length)
    await sql`update companies
      set ${sql.join(
        changed.map(
          (name) => sql`${sql.ref(columnOf(name, companyFields[name]))} =
          ${given[name] ?? (companyFields[name].kind === 'ref' ? null : '')}`,
        ),
      )}, updated_at = now()
          where id = ${ctx.companyId}`.execute(ctx.tx)
  if (changed.includes('kind')) await openBooks(ctx.tx, ctx.companyId, given.kind!, before.language)
  await ctx.audit('companies.change', 'companies', ctx.companyId, pick(before, changed), {
    ...pick(given, changed),
    ...(since === undefined ? {} : { vatPeriodMonths: given.vatPeriodMonths, vatPeriodFrom: since }),
  })
  return companyOf(ctx)
}

const pick = (values: Partial<Company>, keys: (keyof Company)[]) =>
  Object.fromEntries(keys.map((k) => [k, values[k] ?? null]))
