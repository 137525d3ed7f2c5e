import { Money } from '#kit/web/parts/Figure.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import type { WorkedExpense } from '#domain/expenses/workOut.ts'

/**
 * The totals of a bill as the law sees them: the deductible VAT, the cost of the expense, the part income tax
 * recognizes.
 */
export interface SumsProps {
  sums: WorkedExpense
  deductsVat: boolean
  currency: string
  /** Its VAT goes to the authority and not to the supplier. */
  isSelfInvoice?: boolean
}

export function Sums({ sums, deductsVat, currency, isSelfInvoice = false }: SumsProps) {
  const t = useWords()
  const cost = sums.total - sums.recognisedVat
  const rows: [string, number][] = deductsVat
    ? [
        ['expenses.fields.netAgorot', sums.net],
        ['expenses.fields.vatAgorot', sums.vat],
        ['expenses.fields.recognisedVatAgorot', sums.recognisedVat],
        ...(sums.equipmentVat
          ? ([['expenses.form.equipmentVat', sums.equipmentVat]] as [string, number][])
          : []),
        ['expenses.form.cost', cost],
      ]
    : []
  if (sums.incomeTax !== cost) rows.push(['expenses.form.incomeTax', sums.incomeTax])
  return (
    <dl className="ex-sums">
      {rows.map(([word, amount]) => (
        <div key={word}>
          <dt>{t(word)}</dt>
          <dd>
            <Money amount={amount} />
          </dd>
        </div>
      ))}
      {currency !== 'ILS' && (
        <div>
          <dt>{t('expenses.form.paperTotal')}</dt>
          <dd>
            <Money amount={isSelfInvoice ? sums.paper.net : sums.paper.total} currency={currency} />
          </dd>
        </div>
      )}
      <div className="sum">
        <dt>{t(isSelfInvoice ? 'expenses.form.toSupplier' : 'expenses.form.total')}</dt>
        <dd>
          <Money amount={isSelfInvoice ? sums.net : sums.total} />
        </dd>
      </div>
    </dl>
  )
}
