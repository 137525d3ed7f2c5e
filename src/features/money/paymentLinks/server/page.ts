import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx, OpenCtx } from '#kit/server/context.ts'
import type { FileAnswer } from '#kit/server/implement.ts'
import { insideOf, rowOfKey, unknownKey } from '#kit/server/pageKeys.ts'
import { failField } from '#kit/describe/errors.ts'
import { companyOf, faceOf, getLogo, registerBusinessPage } from '#features/base/companies/server/index.ts'
import type { Outcome, Payer } from '../endpoints.ts'
import type { linkStates } from '../paymentLinks.ts'
import { AcquirerAway } from './acquirer.ts'
import { companyOfNotices, terminalOf, terminalOfBefore } from './account.ts'
import { begin, chargeOf, linkOf, outcomeOf, settleCharge } from './charge.ts'
import { payableOf, type Link } from './payable.ts'
import { dueOf, isExpired } from './links.ts'
import { companyOfForm, payForm, showForm, signedNotice, type TestPayment } from './testAcquirer.ts'

registerBusinessPage('/payment', {
  owner: (key) => sql`select company_id from payment_links where page_key = ${key}`,
  words: 'paymentLinks.pageFace',
  logo: (key) => `/api2/invoice/payment/${key}/logo`,
})
registerBusinessPage('/historydoc', {
  owner: (key) => sql`select company_id from customer_pages where page_key = ${key}`,
  words: 'customerPages.pageFace',
  logo: (key) => `/api2/invoice/historydoc/${key}/logo`,
})

interface Place {
  companyId: string
  id: string
}

async function placeOf(ctx: OpenCtx, table: 'payment_links' | 'documents', key: string): Promise<Place> {
  const row = await rowOfKey(
    ctx,
    sql<{ company_id: string; id: string }>`select company_id, id from ${sql.table(table)} where page_key = ${key}
      ${table === 'documents' ? sql`and status <> 'draft'` : sql``}`,
  )
  return { companyId: row.company_id, id: row.id }
}

const inside = <T>(ctx: OpenCtx, { companyId }: { companyId: string }, work: (inside: Ctx) => Promise<T>): Promise<T> =>
  insideOf(ctx, companyId, work)

export async function linkPage(ctx: OpenCtx, { key }: { key: string }) {
  const place = await placeOf(ctx, 'payment_links', key)
  return inside(ctx, place, async (within) => {
    const link = await linkOf(within, place.id)
    const company = await companyOf(within)
    await sql`update payment_links set viewed_at = coalesce(viewed_at, now()) where company_id = ${place.companyId} and id = ${link.id} and viewed_at is null`.execute(
      within.tx,
    )
    const due = await dueOf(within, link)
    // What was paid in another way needs no paying by this one.
    const state: (typeof linkStates)[number] =
      link.state === 'open' ? (link.document_id && due === 0 ? 'paid' : isExpired(link, within.today) ? 'expired' : 'open') : link.state
    const terminal = await terminalOf(within)
    const { rows } = await sql<{
      name: string
    }>`select name from parties where company_id = ${place.companyId} and id = ${link.customer_id}`.execute(within.tx)
    const charge = link.charge_id ? await chargeOf(within, link.charge_id) : undefined
    return {
      ...faceOf(company),
      language: link.language,
      description: link.description,
      customer: rows[0]?.name ?? '',
      amountAgorot: charge?.amount_agorot ?? due,
      mostInstalments: link.most_instalments,
      expiresOn: link.expires_on,
      state,
      donation: link.paper === 'donation',
      asksPayer: !link.customer_id,
      online: !!terminal,
      test: terminal?.acquirer.isTest ?? false,
      bankDetails: company.bankDetails,
      phonePayment: company.phonePayment,
      thanks: company.thanksText,
      paper: charge ? (await outcomeOf(within, charge.id)).paper : null,
    }
  })
}

export async function linkLogo(ctx: OpenCtx, { key }: { key: string }): Promise<FileAnswer> {
  return inside(ctx, await placeOf(ctx, 'payment_links', key), getLogo)
}

function checkPayer(link: Link, payer: Partial<Payer>): void {
  if (link.customer_id) return
  if (!payer.name) throw failField('payer.name', 'fields.need')
}

export async function beginLink(ctx: OpenCtx, { key, payer = {} }: { key: string; payer?: Partial<Payer> | undefined }) {
  const place = await placeOf(ctx, 'payment_links', key)
  return inside(ctx, place, async (within) => {
    // Locked first: whoever comes at the same moment finds the form that this one opened.
    const link = await linkOf(within, place.id, true)
    if (link.state !== 'open' || isExpired(link, within.today)) throw fail('paymentLinks.notOpen')
    const agorot = await dueOf(within, link)
    if (agorot <= 0) throw fail('paymentLinks.nothingDue')
    checkPayer(link, payer)
    return begin(within, {
      linkId: link.id,
      documentId: link.document_id,
      customerId: link.customer_id,
      agorot,
      description: link.description,
      mostInstalments: link.most_instalments,
      payer: link.customer_id ? {} : payer,
      language: link.language,
      page: `${ctx.app.publicUrl()}/payment/${key}`,
    })
  })
}

/** A charge of this page, and of no other. */
async function check(ctx: OpenCtx, place: Place, column: 'link_id' | 'document_id', chargeId: string): Promise<Outcome> {
  await inside(ctx, place, async (within) => {
    const charge = await chargeOf(within, chargeId)
    if (charge[column] !== place.id) throw fail('kit.notFound')
  })
  try {
    await settleCharge(ctx.app, place.companyId, chargeId, 'return')
  } catch (e) {
    if (e instanceof AcquirerAway) throw fail('paymentLinks.acquirerAway')
    throw e
  }
  return inside(ctx, place, (within) => outcomeOf(within, chargeId))
}

export const checkLink = async (ctx: OpenCtx, { key, charge }: { key: string; charge: string }) =>
  check(ctx, await placeOf(ctx, 'payment_links', key), 'link_id', charge)

export const checkDocument = async (ctx: OpenCtx, { key, charge }: { key: string; charge: string }) =>
  check(ctx, await placeOf(ctx, 'documents', key), 'document_id', charge)

export async function documentPay(ctx: OpenCtx, { key }: { key: string }) {
  const place = await placeOf(ctx, 'documents', key)
  return inside(ctx, place, async (within) => {
    const [terminal, company, payable] = [await terminalOf(within), await companyOf(within), await payableOf(within, place.id)]
    return {
      online: !!terminal && payable.dueAgorot > 0,
      test: terminal?.acquirer.isTest ?? false,
      openAgorot: payable.dueAgorot,
      mostInstalments: terminal?.mostInstalments ?? 1,
      phonePayment: company.phonePayment,
      thanks: company.thanksText,
    }
  })
}

export async function beginDocument(ctx: OpenCtx, { key }: { key: string }) {
  const place = await placeOf(ctx, 'documents', key)
  return inside(ctx, place, async (within) => {
    const payable = await payableOf(within, place.id, true)
    if (payable.dueAgorot <= 0) throw fail('paymentLinks.nothingDue')
    return begin(within, {
      linkId: null,
      documentId: payable.id,
      customerId: payable.customerId,
      agorot: payable.dueAgorot,
      description: payable.name,
      mostInstalments: (await terminalOf(within))?.mostInstalments ?? 1,
      payer: {},
      language: payable.language,
      page: `${ctx.app.publicUrl()}/paymentdoc/${key}`,
    })
  })
}

/** A notice is signed, and still no more than a reason to ask the acquirer: who sends one that is not right learns nothing. */
export async function notice(ctx: OpenCtx, { key, ...fields }: { key: string } & Record<string, unknown>) {
  const companyId = await companyOfNotices(ctx.tx, key)
  if (!companyId) throw fail('kit.notFound')
  const chargeId = await inside(ctx, { companyId }, async (within) => {
    const { acquirer, account } = await terminalOfBefore(within)
    const reference = acquirer.readNotice(account, fields)
    if (!reference) return undefined
    const { rows } = await sql<{
      id: string
    }>`select id from card_charges where company_id = ${companyId} and reference = ${reference}`.execute(within.tx)
    return rows[0]?.id
  })
  if (chargeId)
    // A silence of the acquirer now is made good by the job: it is told apart from our own failures, which the acquirer is to repeat.
    await settleCharge(ctx.app, companyId, chargeId, 'notice').catch((e: unknown) => {
      if (!(e instanceof AcquirerAway)) throw e
    })
  return { done: true as const }
}

async function formPlace(ctx: OpenCtx, reference: string): Promise<{ companyId: string }> {
  return { companyId: (await companyOfForm(ctx.tx, reference)) ?? (await unknownKey(ctx)) }
}

export async function testForm(ctx: OpenCtx, { key }: { key: string }) {
  return inside(ctx, await formPlace(ctx, key), async (within) => ({
    business: (await companyOf(within)).name,
    ...(await showForm(within, key)),
  }))
}

export async function testPay(ctx: OpenCtx, { key, ...given }: TestPayment & { key: string }) {
  const made = await inside(ctx, await formPlace(ctx, key), (within) => payForm(within, key, given))
  // Paid, and the line broke: what the payer sees is a failure.
  if (made.state === 'lost') throw fail('paymentLinks.acquirerAway')
  return { ...made, state: made.state }
}

/** The notice of the test acquirer, on its way: signed by it and read like any other. */
export const testNotice = async (ctx: Ctx, { reference, at }: Record<string, unknown>): Promise<void> => {
  const { acquirer, account } = await terminalOfBefore(ctx)
  const read = acquirer.readNotice(account, signedNotice(account.secret, String(reference), new Date(String(at))))
  const { rows } = await sql<{
    id: string
  }>`select id from card_charges where company_id = ${ctx.companyId} and reference = ${read ?? ''}`.execute(ctx.tx)
  if (rows[0]) await settleCharge(ctx.app, ctx.companyId, rows[0].id, 'notice')
}
