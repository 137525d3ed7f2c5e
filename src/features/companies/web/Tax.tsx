import { chargesVat } from '../../../domain/documents/kinds.ts'
import { ChoiceField } from '../../../kit/web/fields/ChoiceField.tsx'
import { TextField } from '../../../kit/web/fields/TextField.tsx'
import { Note } from '../../../kit/web/parts/Banner.tsx'
import { useWords } from '../../../kit/web/words.tsx'
import { AdvanceRates } from './AdvanceRates.tsx'
import type { CompanyForm } from './useCompanyForm.ts'

export interface CompanyPart {
  form: CompanyForm
  values: NonNullable<CompanyForm['values']>
  readOnly: boolean
}

/** How the business stands at the authorities: VAT, income tax, withholding. */
export function Tax({ form, values, readOnly }: CompanyPart) {
  const t = useWords()
  const text = (
    name: 'vatOffice' | 'incomeTaxOffice' | 'incomeTaxFile' | 'withholdingFile',
    more: { ltr?: boolean; max: number; hint?: string; inputMode?: 'numeric' },
  ) => (
    <TextField
      label={t(`companies.fields.${name}`)}
      name={name}
      optional
      value={values[name]}
      onChange={(value) => form.put({ [name]: value })}
      error={form.errorOf(name)}
      readOnly={readOnly}
      {...more}
    />
  )
  const charges = chargesVat(values.kind)
  return (
    <>
      <section aria-labelledby="co-vat">
        <h2 id="co-vat">{t('companies.sections.vat')}</h2>
        {charges ? (
          <div className="co-pair">
            <ChoiceField
              label={t('companies.fields.vatPeriodMonths')}
              value={String(values.vatPeriodMonths)}
              onChange={(months) => months && form.put({ vatPeriodMonths: Number(months) })}
              choices={['2', '1'].map((value) => ({ value, label: t(`companies.vatPeriodMonths.${value}`) }))}
              error={form.errorOf('vatPeriodMonths')}
              disabled={readOnly}
            />
            {text('vatOffice', { max: 80 })}
          </div>
        ) : (
          <>
            <Note>{t('companies.tax.noVat')}</Note>
            {text('vatOffice', { max: 80 })}
          </>
        )}
      </section>
      <section aria-labelledby="co-income-tax">
        <h2 id="co-income-tax">{t('companies.sections.incomeTax')}</h2>
        <div className="co-pair">
          {text('incomeTaxOffice', { max: 80 })}
          {text('incomeTaxFile', { ltr: true, max: 9, inputMode: 'numeric', hint: t('companies.hints.incomeTaxFile') })}
        </div>
        <h3>{t('companies.advanceRates.title')}</h3>
        <AdvanceRates readOnly={readOnly} />
      </section>
      <section aria-labelledby="co-withholding">
        <h2 id="co-withholding">{t('companies.sections.withholding')}</h2>
        {text('withholdingFile', { ltr: true, max: 9, inputMode: 'numeric', hint: t('companies.hints.withholdingFile') })}
      </section>
    </>
  )
}
