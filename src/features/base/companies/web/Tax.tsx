import { chargesVat } from '#domain/documents/kinds.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { formatDay } from '#domain/format.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { listVatFrequencies } from '../endpoints.ts'
import { AdvanceRates } from './AdvanceRates.tsx'
import type { CompanyForm } from './useCompanyForm.ts'

export interface CompanyPart {
  form: CompanyForm
  values: NonNullable<CompanyForm['values']>
  readOnly: boolean
}

/** The registration of the business at the authorities: VAT, income tax, withholding. */
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
              onChange={(months) =>
                months && form.put({ vatPeriodMonths: Number(months), vatPeriodFrom: undefined })
              }
              choices={['2', '1'].map((value) => ({ value, label: t(`companies.vatPeriodMonths.${value}`) }))}
              error={form.errorOf('vatPeriodMonths')}
              disabled={readOnly}
            />
            <VatPeriodFrom form={form} values={values} />
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
          {text('incomeTaxFile', {
            ltr: true,
            max: 9,
            inputMode: 'numeric',
            hint: t('companies.hints.incomeTaxFile'),
          })}
        </div>
        <h3>{t('companies.advanceRates.title')}</h3>
        <AdvanceRates readOnly={readOnly} />
      </section>
      <section aria-labelledby="co-withholding">
        <h2 id="co-withholding">{t('companies.sections.withholding')}</h2>
        {text('withholdingFile', {
          ltr: true,
          max: 9,
          inputMode: 'numeric',
          hint: t('companies.hints.withholdingFile'),
        })}
      </section>
    </>
  )
}

/** From when on VAT is reported as often as that: asked with a change, and said of those that were. */
function VatPeriodFrom({ form, values }: Pick<CompanyPart, 'form' | 'values'>) {
  const t = useWords()
  const { data } = useCall(listVatFrequencies, {})
  if (!data) return null
  if (values.vatPeriodMonths !== form.kept?.vatPeriodMonths)
    return (
      <DayField
        label={t('companies.fields.vatPeriodFrom')}
        name="vatPeriodFrom"
        value={values.vatPeriodFrom ?? data.changeFrom}
        onChange={(day) => form.put({ vatPeriodFrom: day ?? '' })}
        hint={t('companies.hints.vatPeriodFrom')}
        error={form.errorOf('vatPeriodFrom')}
      />
    )
  if (data.rows.length < 2) return null
  const since = data.rows
    .slice(1)
    .map(({ from, months }) => t(`companies.vatPeriodMonths.since.${months}`, { day: formatDay(from) }))
  return (
    <p className="sub">{[t(`companies.vatPeriodMonths.${data.rows[0]!.months}`), ...since].join(' · ')}</p>
  )
}
