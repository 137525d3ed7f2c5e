import { sql } from 'kysely'
import { isBankCode } from '#domain/bankAccount.ts'
import { formatMoney } from '#domain/format.ts'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import {
  askForSignature,
  registerSigned,
  sheetPdf,
  signedValues,
  signingRows,
} from '#features/sales/signing/server/index.ts'
import type { AskGiven } from '#features/sales/signing/shapes.ts'
import type { saveMandate as saveCall } from '../endpoints.ts'
import type { z } from 'zod'

/** A leave that was given on paper or at the bank, or its end. */
export async function saveMandate(
  ctx: Ctx,
  { customerId, reference, since, ceilingAgorot, ended }: z.output<typeof saveCall.input>,
): Promise<{ done: true }> {
  await customerOf(ctx, customerId)
  // A paper signed before says nothing of another number.
  await sql`insert into debit_mandates (company_id, party_id, reference, since, ceiling_agorot, ended_at,
      created_by)
    values (${ctx.companyId}, ${customerId}, ${reference}, ${since}, ${ceilingAgorot ?? null}, case
      when ${ended} then now() end, ${ctx.caller.userId})
    on conflict (company_id, party_id) do update set since = excluded.since,
      sign_request_id = case when debit_mandates.reference = excluded.reference then
      debit_mandates.sign_request_id end, reference = excluded.reference,
      ceiling_agorot = case when ${ceilingAgorot === undefined} then debit_mandates.ceiling_agorot
      else excluded.ceiling_agorot end,
      ended_at = excluded.ended_at`.execute(ctx.tx)
  await ctx.audit('masav.mandate', 'customers', customerId, undefined, {
    reference,
    since,
    ceilingAgorot,
    ended,
  })
  return { done: true }
}

interface Customer {
  language: Language | null
  bank: string
  branch: string
  account: string
}

async function customerOf(ctx: Ctx, id: string): Promise<Customer> {
  const { rows } = await sql<Customer>`select language, coalesce(bank_code::text, '') as bank,
        coalesce(bank_branch, '') as branch, coalesce(bank_account, '') as account
    from parties where company_id = ${ctx.companyId} and id = ${id} and role = 'customer'`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/** The next number that no mandate of this business bears, in force or on its way. */
async function nextReference(ctx: Ctx): Promise<string> {
  const { rows } = await sql<{
    next: string
  }>`select (greatest(1000, coalesce(max(reference::bigint), 0)) + 1)::text as next from (
      select reference from debit_mandates where company_id = ${ctx.companyId}
      union all select reference from mandate_papers where company_id = ${ctx.companyId}) known
    where length(reference) <= 12`.execute(ctx.tx)
  return rows[0]!.next
}

interface Given extends AskGiven {
  customerId: string
  reference?: string | undefined
  ceilingAgorot: number | null
}

/**
 * Asks a customer to sign a mandate: the customer fills in the account where it is not known. Once signed it is in
 * force automatically.
 */
export async function askMandate(
  ctx: Ctx,
  { customerId, reference: wanted, ceilingAgorot, ...given }: Given,
): Promise<{ id: string }> {
  if (!can(ctx.caller, 'signing.send')) throw forbidden({ rule: 'signing.send' })
  const customer = await customerOf(ctx, customerId)
  const company = await companyOf(ctx)
  const language = given.signer.language ?? customer.language ?? company.language
  const t = (key: string, params?: Record<string, string>) => say(language, `masav.sheet.${key}`, params)
  // Two at once would take the same number.
  await sql`select pg_advisory_xact_lock(hashtext(${`mandates:${ctx.companyId}`}))`.execute(ctx.tx)
  const reference = wanted ?? (await nextReference(ctx))
  const { rows: settings } = await sql<{
    institution: string
  }>`select institution from masav_settings where company_id = ${ctx.companyId}`.execute(ctx.tx)
  const words = {
    business: company.name,
    reference,
    institution: settings[0]?.institution ?? '',
    ceiling: ceilingAgorot === null ? '' : `₪${formatMoney(ceilingAgorot)}`,
  }
  const { pdf, fields } = await sheetPdf(ctx, {
    language,
    title: t('title'),
    text: [
      t('text', words),
      t(ceilingAgorot === null ? 'noCeiling' : 'ceiling', words),
      t('ends', words),
      t(words.institution ? 'numbers' : 'number', words),
    ].join('\n\n'),
    rows: [
      [
        { id: 'bank', kind: 'text', label: t('bank'), check: 'digits' },
        { id: 'branch', kind: 'text', label: t('branch'), check: 'digits' },
        { id: 'account', kind: 'text', label: t('account'), check: 'digits' },
      ],
      [
        { id: 'owner', kind: 'text', label: t('owner'), merge: 'signer.name' },
        { id: 'taxid', kind: 'text', label: t('taxId'), check: 'taxId', merge: 'customer.taxId' },
      ],
      ...signingRows(language),
    ],
  })
  const { bank, branch, account } = customer
  const known = Object.entries({ bank, branch, account }).filter(([, value]) => /^\d+$/.test(value))
  const { id } = await askForSignature(ctx, {
    name: t('title'),
    paper: { pdf, fields },
    signers: [{ ...given.signer, role: 'r1' }],
    given: Object.fromEntries(known),
    purpose: 'mandate',
    purposeId: customerId,
    customerId,
    message: given.message,
    language,
    ...(given.expiresDay ? { expiresDay: given.expiresDay } : {}),
  })
  await sql`insert into mandate_papers (company_id, request_id, party_id, reference, ceiling_agorot,
      created_by)
    values (${ctx.companyId}, ${id}, ${customerId}, ${reference}, ${ceilingAgorot},
      ${ctx.caller.userId})`.execute(ctx.tx)
  await ctx.audit('masav.mandateAsked', 'customers', customerId, undefined, { reference, ceilingAgorot })
  return { id }
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** A signed mandate comes into force automatically, once, with the account its owner wrote. */
registerSigned(
  'mandate',
  async (ctx, { id, customerId }) => {
    const { rows } = await sql<{
      reference: string
      ceilingAgorot: number | null
      createdBy: string | null
    }>`update mandate_papers set lodged_at = ${ctx.now.toISOString()}
      where company_id = ${ctx.companyId} and request_id = ${id} and lodged_at is null
      returning reference, ceiling_agorot as "ceilingAgorot", created_by as "createdBy"`.execute(ctx.tx)
    const [paper] = rows
    if (!paper || !customerId) return
    const { values } = await signedValues(ctx, id)
    await sql`insert into debit_mandates (company_id, party_id, reference, since, ceiling_agorot,
        sign_request_id, created_by)
      values (${ctx.companyId}, ${customerId}, ${paper.reference}, ${ctx.today}, ${paper.ceilingAgorot},
        ${id}, ${paper.createdBy})
      on conflict (company_id, party_id) do update set reference = excluded.reference, since = excluded.since,
        ceiling_agorot = excluded.ceiling_agorot,
        sign_request_id = excluded.sign_request_id, ended_at = null`.execute(ctx.tx)
    const bank = {
      bankCode: Number(text(values.bank)),
      bankBranch: text(values.branch),
      bankAccount: text(values.account),
    }
    await sql`update parties set bank_code = ${bank.bankCode}, bank_branch = ${bank.bankBranch},
        bank_account = ${bank.bankAccount},
        bank_account_name = ${text(values.owner).slice(0, 120) || null}, updated_at = now()
      where company_id = ${ctx.companyId} and id = ${customerId}`.execute(ctx.tx)
    const { reference, ceilingAgorot } = paper
    await ctx.audit('masav.mandate', 'customers', customerId, undefined, {
      reference,
      since: ctx.today,
      ceilingAgorot,
      signed: id,
    })
  },
  (values) => {
    const wrong: { path: string; code: string }[] = []
    if (!isBankCode(Number(text(values.bank)))) wrong.push({ path: 'bank', code: 'masav.badBank' })
    if (text(values.branch).length > 3) wrong.push({ path: 'branch', code: 'masav.badBranch' })
    if (text(values.account).length > 9) wrong.push({ path: 'account', code: 'masav.badAccount' })
    return wrong
  },
)
