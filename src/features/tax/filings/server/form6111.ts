import iconv from 'iconv-lite'
import { sql } from 'kysely'
import { chargesVat } from '#domain/documents/kinds.ts'
import { build6111 } from '#domain/filings/form6111/build.ts'
import { formCodes, type FormPart } from '#domain/filings/form6111/codes.ts'
import { fileName6111 } from '#domain/filings/form6111/layout.ts'
import { partOf, totalsOf } from '#domain/filings/form6111/sums.ts'
import { workOut6111, type FormAccount, type FormLine } from '#domain/filings/form6111/workOut.ts'
import { systemAccounts, type AccountKind } from '#domain/ledger/chart.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { byOf, type Ctx } from '#kit/server/context.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { codes6111OfYear } from '#features/base/ledger/server/index.ts'
import type { Head6111 } from '../endpoints.ts'
import { daysOf } from './form856.ts'
import { refuseFigures, refusePartSight } from './sight.ts'

/**
 * The accounts of a year from the monthly totals; a control account in two, by the cards in debit and in credit.
 */
async function accountsOf(ctx: Ctx, year: number): Promise<FormAccount[]> {
  const { from, to } = daysOf(year)
  const { rows } = await sql<{
    id: string
    number: string
    name: string
    kind: AccountKind
    code: number
    year: number
    start: number
    end: number
  }>`
    select a.id, a.number, a.name, a.kind, coalesce(nullif(coalesce(y.code, a.code6111), ''), '0')::int as
      code,
      coalesce(sum(m.debit_agorot - m.credit_agorot) filter (where m.month >= ${from}), 0)::bigint as year,
      coalesce(sum(m.debit_agorot - m.credit_agorot) filter (where m.month < ${from}), 0)::bigint as start,
      coalesce(sum(m.debit_agorot - m.credit_agorot), 0)::bigint as end
    from accounts a join account_months m on m.company_id = a.company_id and m.account_id = a.id
      and m.month <= ${to}
      left join account_codes6111 y on y.company_id = a.company_id and y.account_id = a.id
        and y.year = ${year}
    where a.company_id = ${ctx.companyId} group by a.id, a.number, a.name, a.kind, a.code6111, y.code
    order by a.number`.execute(ctx.tx)
  const { rows: cards } = await sql<{ id: string; debit: number; credit: number }>`
    select account_id as id, coalesce(sum(amount) filter (where amount > 0), 0)::bigint as debit,
      coalesce(sum(amount) filter (where amount < 0), 0)::bigint as credit
    from (select account_id, party_id, sum(debit_agorot - credit_agorot) as amount from party_months
    where company_id = ${ctx.companyId} and month <= ${to}
      group by 1, 2) c group by 1`.execute(ctx.tx)
  return rows.flatMap((account) => {
    const split = cards.find((one) => one.id === account.id)
    if (
      !split ||
      (account.number !== systemAccounts.customers && account.number !== systemAccounts.suppliers)
    )
      return [account]
    return [
      { ...account, end: split.debit },
      { ...account, end: account.end - split.debit },
    ]
  })
}

/** The second way: the same movements added up from the entries. */
async function differencesOf(ctx: Ctx, year: number) {
  const { from, to } = daysOf(year)
  const { rows } = await sql<{
    accountId: string
    account: string
    sumsAgorot: number
    entriesAgorot: number
  }>`
    with sums as (select account_id, sum(debit_agorot - credit_agorot) as amount from account_months
        where company_id = ${ctx.companyId} and month between ${from} and ${to} group by 1),
      lines as (select account_id, sum(amount_agorot) as amount from postings
      where company_id = ${ctx.companyId} and day between ${from} and ${to} group by 1)
    select a.id as "accountId", a.number || ' ' || a.name as account, coalesce(s.amount, 0)::bigint as
      "sumsAgorot", coalesce(l.amount, 0)::bigint as "entriesAgorot"
    from accounts a left join sums s on s.account_id = a.id left join lines l on l.account_id = a.id
    where a.company_id = ${ctx.companyId} and coalesce(s.amount, 0) <> coalesce(l.amount, 0)
    order by a.number`.execute(ctx.tx)
  return rows
}

/**
 * What the books propose for the adjustments: costs the law does not recognise, and depreciation of the books
 * against that of the law.
 */
async function proposedOf(
  ctx: Ctx,
  year: number,
  profitAndLoss: readonly FormLine[],
): Promise<{ code: number; amountAgorot: number }[]> {
  const { from, to } = daysOf(year)
  const { rows } = await sql<{ excess: number; depreciation: number }>`select
      (select coalesce(sum(round((l.ils_net_agorot + l.ils_vat_agorot - l.recognised_vat_agorot) *
      (10000 - l.income_tax_bp) / 10000.0)), 0) from expense_lines l
        join expenses e on e.company_id = l.company_id and e.id = l.expense_id
        where l.company_id = ${ctx.companyId} and e.state = 'approved' and e.books_day between ${from}
          and ${to} and not l.is_fixed_asset)::bigint as excess,
      (select coalesce(sum(asset_worn(cost_agorot, depreciation_bp, start_day, opening_day,
      opening_worn_agorot, disposed_day, ${to})
          - asset_worn(cost_agorot, depreciation_bp, start_day, opening_day, opening_worn_agorot,
          disposed_day, ${from}::date - 1)), 0)
        from fixed_assets where company_id = ${ctx.companyId} and archived_at is null
          and start_day <= ${to})::bigint as depreciation`.execute(ctx.tx)
  const inBooks = profitAndLoss
    .filter(({ code }) => [2075, 2550, 3080, 3580].includes(code))
    .reduce((sum, one) => sum + one.shekels, 0)
  const whole = (agorot: number) => Math.round(agorot / 100) * 100
  return [
    { code: 110, amountAgorot: whole(rows[0]!.excess) },
    { code: 120, amountAgorot: inBooks * 100 },
    { code: 130, amountAgorot: whole(rows[0]!.depreciation) },
  ].filter((one) => one.amountAgorot !== 0)
}

/** Of a head that was kept before partners were asked for. */
const noPartners = { partners: null, partnersShareBp: null }

interface Kept {
  head: Head6111
  adjustments: Record<string, number>
}

/**
 * Of the year, or as they were the year before: a business seldom changes its branch. Adjustments are of one
 * year alone.
 */
async function keptOf(ctx: Ctx, year: number): Promise<Kept | undefined> {
  const { rows } = await sql<Kept & { year: number }>`select year, head, adjustments from form6111_heads
    where company_id = ${ctx.companyId} and year <= ${year} order by year desc limit 1`.execute(ctx.tx)
  return rows[0] && { head: rows[0].head, adjustments: rows[0].year === year ? rows[0].adjustments : {} }
}

const inAgorot = (shekels: number) => shekels * 100

/** The authority's codes of the year and those the business brought in, by the books' own list. */
const codesIn = async (ctx: Ctx, year: number) => formCodes(await codes6111OfYear(ctx, year))

async function workOut(ctx: Ctx, year: number) {
  const kept = await keptOf(ctx, year)
  const codes = await codesIn(ctx, year)
  const form = workOut6111(codes, await accountsOf(ctx, year), kept?.adjustments)
  return { kept, codes, form }
}

export async function form6111Of(ctx: Ctx, { year }: { year: number }) {
  refusePartSight(ctx)
  const { kept, codes, form } = await workOut(ctx, year)
  const names = new Map(codes.map(({ code, name }) => [code, name]))
  const totals = new Set(totalsOf(codes).map(({ code }) => code))
  const linesOf = (part: FormPart) =>
    form.lines[part].map(({ code, shekels, isTotal, accounts }) => ({
      code,
      name: names.get(code)!,
      amountAgorot: inAgorot(shekels),
      isTotal,
      accounts: accounts.map(({ account, agorot }) => ({
        accountId: account.id,
        account: `${account.number} ${account.name}`,
        amountAgorot: agorot,
      })),
    }))
  return {
    year,
    profitAndLoss: linesOf('profitAndLoss'),
    taxAdjustment: linesOf('taxAdjustment'),
    balanceSheet: linesOf('balanceSheet'),
    problems: form.problems.map(({ code, account, line, shekels }) => ({
      code,
      accountId: account?.id ?? null,
      account: account ? `${account.number} ${account.name}` : null,
      line: line ?? account?.code ?? null,
      amountAgorot: inAgorot(shekels),
    })),
    identities: form.identities.map(({ name, left, right, ok }) => ({
      name,
      leftAgorot: inAgorot(left),
      rightAgorot: inAgorot(right),
      ok,
    })),
    differences: await differencesOf(ctx, year),
    head: kept ? { ...noPartners, ...kept.head } : null,
    isPartnership: (await companyOf(ctx)).kind === 'partnership',
    adjustments: Object.entries(kept?.adjustments ?? {}).map(([code, shekels]) => ({
      code: Number(code),
      amountAgorot: inAgorot(shekels),
    })),
    proposed: await proposedOf(ctx, year, form.lines.profitAndLoss),
    adjustable: codes.filter(isAdjustable(totals)).map(({ code, name }) => ({ code, name })),
  }
}

/**
 * Lines of those who report by IFRS, which this form says nobody here does: what stood in them would be in no
 * total.
 */
const ofIfrs = new Set([103, 383])

const isAdjustable =
  (totals: ReadonlySet<number>) =>
  ({ code, part }: { code: number; part: string }): boolean =>
    part === 'taxAdjustment' && !totals.has(code) && !ofIfrs.has(code)

export async function keepHead(
  ctx: Ctx,
  {
    year,
    head,
    adjustments,
  }: { year: number; head: Head6111; adjustments: { code: number; amountAgorot: number }[] },
) {
  refuseFigures(ctx)
  const codes = await codesIn(ctx, year)
  const totals = new Set(totalsOf(codes).map(({ code }) => code))
  if ((await companyOf(ctx)).kind === 'company' && !head.withBalanceSheet)
    throw fail('filings.balanceSheetMust')
  const known = new Set(codes.filter(isAdjustable(totals)).map(({ code }) => code))
  const shekels: Record<string, number> = {}
  for (const [i, { code, amountAgorot }] of adjustments.entries()) {
    if (!known.has(code) || shekels[code] !== undefined)
      throw failField(`adjustments.${i}.code`, 'fields.choice')
    if (amountAgorot % 100) throw failField(`adjustments.${i}.amountAgorot`, 'filings.wholeShekels')
    shekels[code] = amountAgorot / 100
  }
  const before = await keptOf(ctx, year)
  await sql`insert into form6111_heads (company_id, year, head, adjustments, updated_by)
    values (${ctx.companyId}, ${year}, ${JSON.stringify(head)}, ${JSON.stringify(shekels)}, ${byOf(ctx)})
    on conflict (company_id, year) do update set head = excluded.head, adjustments = excluded.adjustments,
      updated_by = excluded.updated_by, updated_at = now()`.execute(ctx.tx)
  await ctx.audit('filings.keepHead6111', 'filings', null, before && { year, ...before }, {
    year,
    head,
    adjustments: shekels,
  })
  return { done: true as const }
}

/** The file of the authority. Nothing leaves that does not hold together. */
export async function file6111Of(ctx: Ctx, { year }: { year: number }): Promise<FileAnswer> {
  refuseFigures(ctx)
  const { kept, form } = await workOut(ctx, year)
  if (!kept) throw fail('filings.headMissing')
  const head = { ...noPartners, ...kept.head }
  // Without the balance sheet its checks need not hold.
  const counts = (code: number | undefined) =>
    head.withBalanceSheet || code === undefined || partOf(code) !== 'balanceSheet'
  const wrong =
    form.identities.some(({ name, ok }) => !ok && (head.withBalanceSheet || name === 'profit')) ||
    form.problems.some(({ account, line }) =>
      counts(line ?? (account && ['income', 'expense'].includes(account.kind) ? undefined : 9999)),
    ) ||
    (await differencesOf(ctx, year)).length > 0
  if (wrong) throw fail('filings.identitiesFail')
  const company = await companyOf(ctx)
  if (company.kind === 'company' && !head.withBalanceSheet) throw fail('filings.balanceSheetMust')
  const isPartnership = company.kind === 'partnership'
  if (isPartnership && head.partners === null) throw fail('filings.partnersMissing')
  const text = build6111([
    {
      head: {
        incomeTaxFile: company.incomeTaxFile || company.taxId,
        year: String(year),
        taxId: company.taxId,
        vatFile: chargesVat(company.kind) ? company.taxId : '',
        withholdingFile: company.withholdingFile ?? '',
        branch: head.branch,
        description: head.description,
        businessKind: head.businessKind,
        method: head.method,
        bookkeeping: '2',
        computerised: '2',
        partnership: isPartnership ? '1' : '2',
        hasProfitAndLoss: '1',
        hasTaxAdjustment: '1',
        hasBalanceSheet: head.withBalanceSheet ? '1' : '2',
        profitAndLossRows: '',
        taxAdjustmentRows: '',
        balanceSheetRows: '',
        ifrsYear: '9999',
        ifrsOption: '9',
        // Nines for a program without a number in the authority's register.
        software: ctx.app.settings.software.registration.padStart(8, '0').replace(/^0+$/, '99999999'),
        // Nines where there is no partnership; the share in per cent with two places, as 9(4)v99.
        partners: isPartnership ? String(head.partners) : '999',
        partnersShare:
          isPartnership && head.partnersShareBp !== null ? String(head.partnersShareBp) : '999999',
        currency: '1',
        opinion: head.opinion,
        thousands: '2',
        filler: '',
      },
      lines: { ...form.lines, balanceSheet: head.withBalanceSheet ? form.lines.balanceSheet : [] },
    },
  ])
  await ctx.audit('filings.file6111', 'filings', null, undefined, { year })
  return { bytes: iconv.encode(text, 'windows-1255'), mime: 'application/octet-stream', name: fileName6111 }
}
