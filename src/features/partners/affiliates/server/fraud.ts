import { sql } from 'kysely'
import { phoneKey } from '#domain/phone.ts'
import type { App } from '#kit/server/context.ts'
import { asSystem, type Tx } from '#kit/server/data/db.ts'
import { billingKeyOf } from '#features/money/payPages/server/index.ts'
import { type holdReasons } from '../endpoints.ts'
import { atOperator, operatorOf } from './operator.ts'

type HoldReason = (typeof holdReasons)[number]

/** One mailbox, however it is written: without the part after a plus, and without dots where they mean nothing. */
export function mailKey(mail: string): string {
  const [local = '', host = ''] = mail.trim().toLowerCase().split('@')
  const box = local.replace(/\+.*$/, '')
  return `${host === 'gmail.com' || host === 'googlemail.com' ? box.replaceAll('.', '') : box}@${host === 'googlemail.com' ? 'gmail.com' : host}`
}

interface Marks {
  mails: string[]
  phones: string[]
  taxIds: string[]
}

/** What the person and the businesses behind an affiliate are known by. */
async function marksOf(tx: Tx, affiliateId: string): Promise<Marks> {
  const { rows } = await sql<{ mail: string; phone: string; taxId: string }>`
    with person as (select u.id, u.email, u.phone from affiliates a join users u on u.id = a.user_id
    where a.affiliate_id = ${affiliateId})
    select email as mail, phone, '' as "taxId" from person union
    select c.email, c.phone, c.tax_id from companies c where c.id = ${affiliateId}
      or c.id in (select m.company_id from memberships m join person p on p.id = m.user_id
      where m.type_id in (2, 4) and m.removed_at is null and not c.demo)`.execute(tx)
  const some = (of: string[]) => [...new Set(of.filter(Boolean))]
  return {
    mails: some(rows.map(({ mail }) => (mail ? mailKey(mail) : ''))),
    phones: some(rows.map(({ phone }) => phoneKey(phone))),
    taxIds: some(rows.map(({ taxId }) => taxId)),
  }
}

/** What of a business that signs up is the affiliate's own. */
export async function reasonsAtSignUp(
  tx: Tx,
  affiliateId: string,
  { mail, phone, taxId }: { mail: string; phone: string; taxId: string },
): Promise<HoldReason[]> {
  const marks = await marksOf(tx, affiliateId)
  return [
    ...(marks.mails.includes(mailKey(mail)) ? (['ownMail'] as const) : []),
    ...(phone && marks.phones.includes(phoneKey(phone)) ? (['ownPhone'] as const) : []),
    ...(marks.taxIds.includes(taxId) ? (['ownTaxId'] as const) : []),
  ]
}

/**
 * Checks businesses that pay: with the affiliate's own card or account, or with the affiliate's email or phone on
 * the form. A match is held until a person reviewed it; what was reviewed once is not held for the same reason
 * again.
 */
export async function holdTheDoubtful(app: App, clientIds: readonly string[]): Promise<void> {
  const operatorId = operatorOf(app)
  if (!operatorId || !clientIds.length) return
  const found = await asSystem(app.db, async (tx) => {
    const { rows } = await sql<{
      clientId: string
      affiliateId: string
      businessKey: string
    }>`select client_id as "clientId", affiliate_id as "affiliateId",
      business_key as "businessKey" from affiliate_signups where company_id = ${operatorId}
      and client_id = any(${[...clientIds]}::uuid[]) and state <> 'refused'`.execute(tx)
    const answers: { clientId: string; reasons: HoldReason[] }[] = []
    for (const { clientId, affiliateId, businessKey } of rows) {
      const reasons: HoldReason[] = []
      const marks = await marksOf(tx, affiliateId)
      const { rows: payers } = await sql<{
        mail: string | null
        phone: string | null
      }>`select payer ->> 'email' as mail, payer ->> 'phone' as phone
        from pay_purchases where company_id = ${operatorId}
          and utm ->> 'utm_business' = ${businessKey}`.execute(tx)
      if (payers.some(({ mail }) => mail && marks.mails.includes(mailKey(mail)))) reasons.push('ownMail')
      if (payers.some(({ phone }) => phone && marks.phones.includes(phoneKey(phone))))
        reasons.push('ownPhone')
      const { rows: own } = await sql<{
        id: string
      }>`select m.company_id as id from memberships m join affiliates a on a.user_id = m.user_id
        where a.affiliate_id = ${affiliateId} and m.type_id in (2, 4) and m.removed_at is null
          and m.company_id <> ${clientId}`.execute(tx)
      const ownKeys = own.map(({ id }) => billingKeyOf(app, id))
      const { rows: cards } = await sql`with cards_of as (
          select p.utm ->> 'utm_business' as business_key, k.brand, k.last4, k.expiry from pay_purchases p
            join cards k on k.company_id = p.company_id and k.customer_id = p.customer_id
          where p.company_id = ${operatorId} and p.utm ->> 'utm_business' =
            any(${[...ownKeys, businessKey]}::text[]) and k.last4 <> '')
        select 1 from cards_of a join cards_of b on b.brand = a.brand and b.last4 = a.last4
          and b.expiry = a.expiry
        where a.business_key = ${businessKey} and b.business_key <> ${businessKey} limit 1`.execute(tx)
      if (cards.length) reasons.push('sameCard')
      const { rows: accounts } =
        await sql`select 1 from affiliates a join bank_accounts b on b.company_id = ${clientId}
            and b.bank_code = a.bank_code
          and ltrim(b.branch, '0') = ltrim(a.bank_branch, '0')
          and ltrim(regexp_replace(b.number, '\\D', '', 'g'), '0') = ltrim(a.bank_account, '0')
        where a.affiliate_id = ${affiliateId} and a.bank_account <> '' limit 1`.execute(tx)
      if (accounts.length) reasons.push('sameBank')
      if (reasons.length) answers.push({ clientId, reasons })
    }
    return answers
  })
  if (found.length)
    await atOperator(app, async (ctx) => {
      for (const { clientId, reasons } of found)
        await sql`update affiliate_signups s
          set state = 'held', reasons = (select array_agg(distinct r order by r)
          from unnest(s.reasons || ${reasons}::text[]) r)
          where s.company_id = ${ctx.companyId} and s.client_id = ${clientId} and s.state <> 'refused'
            and not ${reasons}::text[] <@ (s.cleared || case when s.state = 'held' then s.reasons
            else '{}' end)`.execute(ctx.tx)
    })
}
