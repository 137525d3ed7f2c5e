import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#kit/server/data/db.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'

export type Kind = 'document' | 'entry'

/** The form in which records are hashed today; a record is checked in the form it was hashed in. */
export const form = 1

/**
 * What never changes of a record, in a fixed order, as the text that is hashed. A day is written by its own
 * text and a moment by its seconds, so that the settings of a session change nothing. What is added later is
 * written only where it says something, at the end of its part, so that what was hashed before stays as it
 * was; anything else belongs to a new form.
 */
const content: Record<
  Kind,
  (company: string, ids: RawBuilder<unknown>) => RawBuilder<{ id: string; digest: Buffer }>
> = {
  document: (company, ids) => sql`select d.id,
      sha256(convert_to((jsonb_build_array(d.id, d.type, d.series, d.number, d.day, d.currency, d.rate,
      d.rate_day,
      d.language, d.customer_id, d.customer, d.business, d.subject, d.notes, d.notes_below, d.notes_internal,
      d.order_number, d.discount_bp,
      d.discount_sum_agorot, d.rounding, d.zero_rate, d.vat_rate_bp, d.subtotal_agorot, d.discount_agorot,
      d.net_taxable_agorot, d.net_exempt_agorot,
      d.net_zero_agorot, d.vat_agorot, d.rounding_agorot, d.total_agorot, d.ils_net_agorot, d.ils_vat_agorot,
      d.ils_total_agorot,
      d.ils_untaxed_agorot, d.source_id, d.sub_type, d.pro, d.branch, d.by_hand, d.issued_by,
      extract(epoch from d.issued_at),
      (select jsonb_agg(jsonb_build_array(l.line, l.item_id, l.sku, l.description, l.details, l.quantity,
      l.unit, l.unit_price, l.discount_bp, l.vat_kind,
          l.vat_class, l.amount_agorot, l.discount_share_agorot, l.net_agorot, l.vat_agorot, l.total_agorot,
          l.ils_net_agorot, l.account_id,
          l.source_document_id, l.source_line, l.takes)
          || case when l.discount_sum_agorot = 0 then '[]'::jsonb else to_jsonb(l.discount_sum_agorot) end
          order by l.line)
        from document_lines l where l.company_id = d.company_id and l.document_id = d.id),
      (select jsonb_agg(jsonb_build_array(p.line, p.id, p.means, p.amount_agorot, p.ils_agorot, p.day,
      p.due_day, p.instalments, p.card_brand,
          p.card_last4, p.bank, p.branch, p.account, p.number, p.reference, p.account_id) order by p.line)
        from document_payments p where p.company_id = d.company_id and p.document_id = d.id))
      || case when d.agent_id is null then '[]'::jsonb else to_jsonb(d.agent_id) end
      || case when d.deliver_to is null then '[]'::jsonb else jsonb_build_array(d.deliver_to) end
      || case when coalesce(d.zero_ground, d.exempt_ground) is null then '[]'::jsonb
        else jsonb_build_array(jsonb_build_object('zeroGround', d.zero_ground, 'exemptGround',
        d.exempt_ground))
        end)::text,
      'UTF8')) as digest
    from documents d where d.company_id = ${company} and d.id in (${ids}) and ${isIssued('d')}`,
  entry: (company, ids) => sql`select e.id,
      sha256(convert_to(jsonb_build_array(e.id, e.day, e.value_day, e.kind, e.reference, e.details,
      e.document_id,
      e.reverses_id, e.created_by, extract(epoch from e.created_at),
      (select jsonb_agg(jsonb_build_array(p.line, p.account_id, p.party_id, p.day, p.amount_agorot,
      p.currency, p.foreign_amount) order by p.line)
        from postings p where p.company_id = e.company_id and p.entry_id = e.id))::text, 'UTF8')) as digest
    from entries e where e.company_id = ${company} and e.id in (${ids})`,
}

/**
 * The digests of some records of a business as they stand now, by kind and id; a record that is gone is
 * missing.
 */
export async function digestsOf(
  tx: Tx,
  company: string,
  records: readonly { kind: Kind; id: string }[],
): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  for (const kind of ['document', 'entry'] as const) {
    const ids = records.filter((r) => r.kind === kind).map((r) => r.id)
    if (ids.length === 0) continue
    const { rows } = await content[kind](company, sql`select unnest(${ids}::uuid[])`).execute(tx)
    for (const { id, digest } of rows) found.set(`${kind} ${id}`, digest)
  }
  return found
}
