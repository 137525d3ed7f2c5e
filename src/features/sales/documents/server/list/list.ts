import { sql, type RawBuilder } from 'kysely'
import { dayAsked } from '#domain/dayAsked.ts'
import { documentTypeNames, documentTypes, paperLabels } from '#domain/documents/kinds.ts'
import { typeAndNumber } from '#domain/documents/typeAndNumber.ts'
import { parseMoney } from '#domain/money.ts'
import type { Ctx } from '#kit/server/context.ts'
import {
  asks,
  isCancelled,
  isIncome,
  isIssued,
  isNotClosed,
  isNotLive,
  sign,
  signed,
  waitsForFollowers,
} from '#kit/server/data/documentFacts.ts'
import { asSearched, type ListSource } from '#kit/server/data/lists.ts'
import { languages, say } from '#kit/server/words.ts'
import { registerSight } from '#kit/server/data/sights.ts'
import { documents } from '../../documents.ts'
import type { DeliverTo } from '../../endpoints.ts'
import { paperLabel } from '../content/opening.ts'

/** What the types of documents are called, other names of a type included: in every language, as people mix them. */
const namesOfTypes = (): { type: number; name: string }[] =>
  languages.flatMap((language) => [
    ...documentTypeNames.map((name) => ({
      type: documentTypes[name].id,
      name: say(language, `documents.types.${name}`),
    })),
    ...paperLabels.map((label) => ({
      type: label === 'billingAccount' ? documentTypes.paymentRequest.id : documentTypes.priceQuote.id,
      name: say(language, `documents.types.${label}`),
    })),
  ])

/** A part of the place where the goods go; null when nothing was written there. */
const said = (part: keyof DeliverTo): RawBuilder<unknown> => sql`nullif(t.deliver_to->>${sql.lit(part)}, '')`

/**
 * The condition that keeps a query to the types of documents the caller may see; nothing for the person who may see
 * all.
 */
export const onlyAllowed = ({ caller }: Pick<Ctx, 'caller'>, column: string): RawBuilder<unknown> =>
  caller.docsAllow.length ? sql` and ${sql.ref(column)} = any(${caller.docsAllow}::int[])` : sql``

registerSight('documents', ({ caller }) => (caller.docsAllow.length ? 'seen_document' : undefined))

export const documentList: ListSource = {
  resource: documents,
  noArchive: true,
  compute: {
    netAgorot: sql`(${sign('t')} * (t.net_taxable_agorot + t.net_exempt_agorot + t.net_zero_agorot))`,
    vatAgorot: signed('t', 'vat_agorot'),
    totalAgorot: signed('t', 'total_agorot'),
    deliverTo: sql`nullif(concat_ws(', ', ${said('name')}, ${said('street')},
        nullif(concat_ws(' ', ${said('city')}, ${said('zip')}), ''),
      ${said('country')}, ${said('contact')}, ${said('phone')}, ${said('notes')}), '')`,
    unpaidAgorot: sql`(case when ${isNotLive('t')} then 0 when ${asks('t')} then t.asked_agorot
        else greatest(t.open_in_currency_agorot, 0) end)`,
    hasLeft: sql`(case when ${isNotLive('t')} then false when ${asks('t')} then t.asked_agorot
        <> 0
      when ${waitsForFollowers('t')} then ${isNotClosed('t')} else false end)`,
  },
  refNames: {
    customerId: sql`t.customer->>'name'`,
    agentId: sql`(select u.full_name from users u where u.id = t.agent_id)`,
    projectId: sql`(select p.name from projects p where p.company_id = t.company_id and p.id = t.project_id)`,
  },
  extra: {
    label: paperLabel('t'),
    // A quote, its order and its invoice are one deal: only what is income adds up across types.
    adds: sql`(case when ${isCancelled('t')} then 'never' when ${isIssued('t')}
        and ${isIncome('t')} then 'always'
      else 'kind' end)`,
    date: sql`t.day`,
    dueDate: sql`t.due_day`,
    customer: sql`case when t.customer->>'name' <> '' then jsonb_build_object('name', t.customer->>'name',
      'taxId', t.customer->>'taxId', 'email', t.customer->>'email', 'phone', t.customer->>'phone',
      'city', t.customer->>'city') end`,
    totals: sql`jsonb_build_object('subtotalAgorot', t.subtotal_agorot, 'discountAgorot', t.discount_agorot,
      'netTaxableAgorot', t.net_taxable_agorot, 'netExemptAgorot', t.net_exempt_agorot,
      'netZeroAgorot', t.net_zero_agorot, 'vatAgorot', t.vat_agorot, 'roundingAgorot', t.rounding_agorot,
      'totalAgorot', t.total_agorot, 'openAgorot', t.open_agorot,
      'openInCurrencyAgorot', t.open_in_currency_agorot, 'askedAgorot', t.asked_agorot,
      'creditedAgorot', t.credited_agorot, 'ilsTotalAgorot', t.ils_total_agorot)`,
    issuedAt: sql`t.issued_at`,
  },
  alsoCalled: {
    date: 'day',
    dueDate: 'dueDay',
    projectName: 'projectIdName',
    agentName: 'agentIdName',
  },
  // What was owed before the books began here is not a document of this business: it is on the card, in the ageing and
  // among what is open.
  only: (ctx) => [
    sql<boolean>`t.series not like '%#opening'`,
    ...(ctx.caller.docsAllow.length ? [sql<boolean>`t.type = any(${ctx.caller.docsAllow}::int[])`] : []),
  ],
  // By number, by the customer's order or the authority's number, by sum, or by part of the customer's name.
  search: (q, { caller }) => {
    const parts: RawBuilder<boolean>[] = [
      ...asSearched(q).map((one) => sql<boolean>`t.customer_id in (select search_customers(${one}))`),
      sql`t.subject ilike ${`%${q.replace(/[\\%_]/g, '\\$&')}%`}`,
      sql`t.order_number = ${q}`,
    ]
    if (/^\d{1,15}$/.test(q)) parts.push(sql`t.number = ${q}::bigint`)
    // The authority's number as printed on the document: nine digits, or those of the whole of it.
    if (/^\d{9,40}$/.test(q)) parts.push(sql`t.allocation_number like ${`%${q}`}`)
    const named = typeAndNumber(q, namesOfTypes())
    if (named) parts.push(sql`t.type = any(${named.types}::int[]) and t.number = ${named.number}::bigint`)
    const day = dayAsked(q)
    if (day) parts.push(sql`t.day = ${day}`)
    const agorot = /\d/.test(q) && !caller.hideTotalPrices ? parseMoney(q) : undefined
    if (agorot) parts.push(sql`t.total_agorot = ${agorot}`)
    return sql`(${sql.join(parts, sql` or `)})`
  },
}
