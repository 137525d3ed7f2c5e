import { sql } from 'kysely'
import { documentTypes } from '#domain/documents/kinds.ts'
import { fail } from '#kit/describe/errors.ts'
import { asOrdered, asOwn, isWithin } from '#kit/server/rights/authority.ts'
import type { Ctx, OpenCtx } from '#kit/server/context.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { insideOf, rowOfKey } from '#kit/server/http/pageKeys.ts'
import { failField } from '#kit/describe/errors.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { companyIn, transferText } from '#features/base/companies/inLanguage.ts'
import { companyOf, faceOf, getLogo, registerBusinessPage } from '#features/base/companies/server/index.ts'
import { takesWallet, type Wallet } from '#features/money/acquirers/acquirers.ts'
import type { Outcome, Payer } from '../endpoints.ts'
import type { linkStates } from '../paymentLinks.ts'
import {
  chargeOf,
  mostInstalmentsOf,
  offeredConsent,
  openPage,
  planPage,
  settleCharge,
  terminalFor,
  walletsOf,
} from '#features/money/acquirers/server/index.ts'
import { linkOf, outcomeOf } from './charge.ts'
import { documentOfPayment } from './paper.ts'
import { linkKind, payableOf, type Link } from './payable.ts'
import { dueOf, isExpired } from './links.ts'

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
    sql<{
      company_id: string
      id: string
    }>`select company_id, id from ${sql.table(table)} where page_key = ${key}
      ${table === 'documents' ? sql`and ${isIssued()}` : sql``}`,
  )
  return { companyId: row.company_id, id: row.id }
}

const inside = <T>(
  ctx: OpenCtx,
  { companyId }: { companyId: string },
  work: (inside: Ctx) => Promise<T>,
): Promise<T> => insideOf(ctx, companyId, work)

export async function linkPage(ctx: OpenCtx, { key }: { key: string }) {
  const place = await placeOf(ctx, 'payment_links', key)
  return inside(ctx, place, async (within) => {
    const link = await linkOf(within, place.id)
    const company = await companyOf(within)
    await sql`update payment_links set viewed_at = coalesce(viewed_at, now())
      where company_id = ${place.companyId} and id = ${link.id} and viewed_at is null`.execute(within.tx)
    const due = await dueOf(within, link)
    // What was paid in another way needs no paying by this one.
    const state: (typeof linkStates)[number] =
      link.state === 'open'
        ? link.document_id && due === 0
          ? 'paid'
          : isExpired(link, within.today)
            ? 'expired'
            : 'open'
        : link.state
    const terminal = await terminalFor(within, due || undefined)
    const { rows } = await sql<{
      name: string
    }>`select name from parties where company_id = ${place.companyId} and id = ${link.customer_id}`.execute(
      within.tx,
    )
    const charge = link.charge_id ? await chargeOf(within, link.charge_id) : undefined
    return {
      ...faceOf(company, link.language),
      language: link.language,
      description: link.description,
      customer: rows[0]?.name ?? '',
      amountAgorot: charge?.amount_agorot ?? due,
      mostInstalments: link.most_instalments,
      wallets: state === 'open' && due > 0 ? await walletsOf(within, due) : [],
      expiresOn: link.expires_on,
      state,
      donation: link.paper === 'donation',
      asksPayer: !link.customer_id,
      keeping: state === 'open' ? await keepingOf(within, link, due) : '',
      online: !!terminal,
      test: terminal?.isTest ?? false,
      bankDetails: transferText(companyIn(company, link.language), link.language !== company.language),
      phonePayment: company.phonePayment,
      thanks: company.thanksText,
      successUrl: link.success_url,
      errorUrl: link.error_url,
      paper: charge ? (await outcomeOf(within, charge.id)).paper : null,
    }
  })
}

export async function linkLogo(ctx: OpenCtx, { key }: { key: string }): Promise<FileAnswer> {
  return inside(ctx, await placeOf(ctx, 'payment_links', key), getLogo)
}

/** A card is kept for a customer who is known, by a terminal that can. */
async function keepingOf(ctx: Ctx, link: Link, due: number): Promise<string> {
  if (!link.customer_id || !(await terminalFor(ctx, due || undefined, 'ILS', { keepsCard: true }))) return ''
  return offeredConsent(ctx, link.language)
}

function checkPayer(link: Link, payer: Partial<Payer>): void {
  if (link.customer_id) return
  if (!payer.name) throw failField('payer.name', 'fields.need')
}

/**
 * By another means than the card: where a terminal has it, for a sum it takes. It keeps no card, and takes
 * the sum at once.
 */
async function checkWallet(ctx: Ctx, wallet: Wallet | undefined, agorot: number): Promise<void> {
  if (wallet && !(takesWallet(wallet, agorot) && (await terminalFor(ctx, agorot, 'ILS', { wallet }))))
    throw fail('paymentLinks.noWallet')
}

interface Beginning {
  key: string
  payer?: Partial<Payer> | undefined
  keepsCard?: boolean | undefined
  wallet?: Wallet | undefined
}

export async function beginLink(ctx: OpenCtx, { key, payer = {}, keepsCard, wallet }: Beginning) {
  const place = await placeOf(ctx, 'payment_links', key)
  const id = await inside(ctx, place, async (within) => {
    // Locked first: the person who comes at the same moment finds the form that this one opened.
    const link = await linkOf(within, place.id, true)
    if (link.state !== 'open' || isExpired(link, within.today)) throw fail('paymentLinks.notOpen')
    const agorot = await dueOf(within, link)
    if (agorot <= 0) throw fail('paymentLinks.nothingDue')
    checkPayer(link, payer)
    await checkWallet(within, wallet, agorot)
    const consent = keepsCard && !wallet ? await keepingOf(within, link, agorot) : ''
    // No money is taken for what could not be issued.
    const payable = link.document_id ? await payableOf(within, link.document_id) : undefined
    const documentType = documentTypes[await documentOfPayment(within, link, payable)].id
    if (!(await isWithin(within, linkKind, link.id, 'collect', { agorot, documentType }))) return undefined
    return planPage(await asOrdered(within, linkKind, link.id), {
      ...(consent ? { consent } : {}),
      purpose: 'link',
      linkId: link.id,
      documentId: link.document_id,
      customerId: link.customer_id,
      agorot,
      description: link.description,
      mostInstalments: wallet ? 1 : link.most_instalments,
      wallet,
      payer: link.customer_id ? {} : payer,
      language: link.language,
      page: `${siteOf(ctx.app)}/payment/${key}`,
    })
  })
  if (id === undefined) throw fail('paymentLinks.off')
  return openPage(ctx.app, place.companyId, id)
}

/** A charge of this page, and of no other. */
async function check(
  ctx: OpenCtx,
  place: Place,
  column: 'link_id' | 'document_id',
  chargeId: string,
  told?: string,
): Promise<Outcome> {
  await inside(ctx, place, async (within) => {
    const charge = await chargeOf(within, chargeId)
    if (charge[column] !== place.id) throw fail('kit.notFound')
  })
  if (!(await settleCharge(ctx.app, place.companyId, chargeId, 'return', told)))
    throw fail('paymentLinks.acquirerAway')
  return inside(ctx, place, (within) => outcomeOf(within, chargeId))
}

export const checkLink = async (
  ctx: OpenCtx,
  { key, charge, told }: { key: string; charge: string; told?: string | undefined },
) => check(ctx, await placeOf(ctx, 'payment_links', key), 'link_id', charge, told)

export const checkDocument = async (
  ctx: OpenCtx,
  { key, charge, told }: { key: string; charge: string; told?: string | undefined },
) => check(ctx, await placeOf(ctx, 'documents', key), 'document_id', charge, told)

export async function documentPay(ctx: OpenCtx, { key }: { key: string }) {
  const place = await placeOf(ctx, 'documents', key)
  return inside(ctx, place, async (within) => {
    const [company, payable] = [await companyOf(within), await payableOf(within, place.id)]
    const terminal = await terminalFor(within, payable.dueAgorot || undefined)
    return {
      online: !!terminal && payable.dueAgorot > 0,
      test: terminal?.isTest ?? false,
      openAgorot: payable.dueAgorot,
      mostInstalments: terminal ? mostInstalmentsOf(terminal, payable.dueAgorot) : 1,
      wallets: payable.dueAgorot > 0 ? await walletsOf(within, payable.dueAgorot) : [],
      phonePayment: company.phonePayment,
      thanks: company.thanksText,
    }
  })
}

export async function beginDocument(
  ctx: OpenCtx,
  { key, wallet }: { key: string; wallet?: Wallet | undefined },
) {
  const place = await placeOf(ctx, 'documents', key)
  const id = await inside(ctx, place, async (within) => {
    const payable = await payableOf(within, place.id, true)
    if (payable.dueAgorot <= 0) throw fail('paymentLinks.nothingDue')
    await checkWallet(within, wallet, payable.dueAgorot)
    const terminal = await terminalFor(within, payable.dueAgorot)
    return planPage(asOwn(within, 'payerPays'), {
      purpose: 'document',
      linkId: null,
      documentId: payable.id,
      customerId: payable.customerId,
      agorot: payable.dueAgorot,
      description: payable.name,
      mostInstalments: terminal && !wallet ? mostInstalmentsOf(terminal, payable.dueAgorot) : 1,
      wallet,
      payer: {},
      language: payable.language,
      page: `${siteOf(ctx.app)}/paymentdoc/${key}`,
    })
  })
  return openPage(ctx.app, place.companyId, id)
}
