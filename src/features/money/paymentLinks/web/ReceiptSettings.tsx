import { ArrowDown, ArrowUp, CreditCard, TriangleAlert } from 'lucide-react'
import type { PaymentMeans } from '#domain/documents/kinds.ts'
import { failureText, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { LongText } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import type { Company } from '#features/base/companies/endpoints.ts'
import { cardBrands, meansOffered, usualMeans } from '#features/base/companies/means.ts'
import { SaveBar, useCompanyForm, type CompanyForm } from '#features/base/companies/web/index.tsx'
import { bankAccounts } from '../endpoints.ts'
import './paymentLinks.css'

/**
 * Receipts: the means of payment offered, what is filled in ahead, paying online, and the words that go with
 * them.
 */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const form = useCompanyForm()
  const readOnly = !may('companies.change')
  return (
    <>
      <PageHeader
        title={t('screens.settingsReceipt')}
        crumbs={[{ label: t('screens.settings'), href: '/invoice/Settings' }]}
      />
      {form.loadFailure && !form.values ? (
        <EmptyState icon={TriangleAlert} title={t('companies.failed')}>
          {failureText(t, form.loadFailure)}
        </EmptyState>
      ) : !form.values ? (
        <Skeleton lines={8} />
      ) : (
        <>
          <fieldset disabled={readOnly} className="contents">
            <Fields form={form} values={form.values} readOnly={readOnly} />
          </fieldset>
          {!readOnly && <SaveBar form={form} />}
        </>
      )}
    </>
  )
}

function Fields({ form, values, readOnly }: { form: CompanyForm; values: Company; readOnly: boolean }) {
  const t = useWords()
  const { data: accounts } = useCall(bankAccounts, {})
  return (
    <div className="co-form">
      <section>
        <h2>{t('paymentLinks.settings.receipts')}</h2>
        <Means
          value={values.receiptMeans}
          onChange={(receiptMeans) => form.put({ receiptMeans })}
          readOnly={readOnly}
        />
        <ChoiceField
          as="list"
          clearable
          optional
          label={t('companies.fields.defaultCardBrand')}
          value={values.defaultCardBrand || null}
          onChange={(brand) => form.put({ defaultCardBrand: brand ?? '' })}
          choices={cardBrands.map((value) => ({ value, label: t(`documents.money.brand.${value}`) }))}
          error={form.errorOf('defaultCardBrand')}
        />
        <ChoiceField
          as="list"
          clearable
          optional
          label={t('companies.fields.transferAccountId')}
          hint={t('companies.hints.transferAccountId')}
          value={(values.transferAccountId as string | null) || null}
          onChange={(id) => form.put({ transferAccountId: id })}
          choices={(accounts?.rows ?? []).map((one) => ({
            value: one.id,
            label: `${one.name} ${one.number}`,
          }))}
          error={form.errorOf('transferAccountId')}
        />
        {values.kind === 'nonProfit' && (
          <LongText
            label={t('companies.fields.section46Text')}
            hint={t('companies.hints.section46Text')}
            optional
            rows={2}
            max={500}
            value={values.section46Text}
            onChange={(section46Text) => form.put({ section46Text })}
            error={form.errorOf('section46Text')}
          />
        )}
      </section>
      <section>
        <h2>{t('paymentLinks.settings.online')}</h2>
        <p>
          <Button size="s" icon={CreditCard} href="/invoice/settingspayments">
            {t('screens.settingsPayments')}
          </Button>
        </p>
        <LongText
          label={t('companies.fields.phonePayment')}
          hint={t('companies.hints.phonePayment')}
          optional
          rows={2}
          max={300}
          value={values.phonePayment}
          onChange={(phonePayment) => form.put({ phonePayment })}
          error={form.errorOf('phonePayment')}
        />
        <LongText
          label={t('companies.fields.bankDetails')}
          hint={t('paymentLinks.settings.bankHint')}
          optional
          rows={3}
          max={500}
          value={values.bankDetails}
          onChange={(bankDetails) => form.put({ bankDetails })}
          error={form.errorOf('bankDetails')}
        />
        <LongText
          label={t('companies.fields.thanksText')}
          hint={t('companies.hints.thanksText')}
          optional
          rows={2}
          max={500}
          value={values.thanksText}
          onChange={(thanksText) => form.put({ thanksText })}
          error={form.errorOf('thanksText')}
        />
      </section>
    </div>
  )
}

/** Which means are offered, and in which order: ticked and moved. */
function Means({
  value,
  onChange,
  readOnly,
}: {
  value: string
  onChange: (value: string) => void
  readOnly: boolean
}) {
  const t = useWords()
  const chosen = meansOffered(value)
  const rows = [...chosen, ...usualMeans.filter((one) => !chosen.includes(one))]
  const put = (next: readonly PaymentMeans[]) =>
    onChange(next.join(',') === usualMeans.join(',') ? '' : next.join(','))
  const move = (means: PaymentMeans, by: -1 | 1) => {
    const at = chosen.indexOf(means)
    const next = [...chosen]
    ;[next[at], next[at + by]] = [next[at + by]!, next[at]!]
    put(next)
  }
  return (
    <fieldset className="pl-stack">
      <legend>{t('companies.fields.receiptMeans')}</legend>
      <p className="sub">{t('companies.hints.receiptMeans')}</p>
      <ul className="pl-means">
        {rows.map((means) => {
          const at = chosen.indexOf(means)
          const name = t(`documents.means.${means}`)
          return (
            <li key={means}>
              <span className="grow">
                <FlagField
                  label={name}
                  value={at >= 0}
                  // The last one stays: a receipt without a means of payment is none.
                  onChange={(on) =>
                    on
                      ? put([...chosen, means])
                      : chosen.length > 1 && put(chosen.filter((one) => one !== means))
                  }
                />
              </span>
              {at >= 0 && !readOnly && (
                <>
                  {at > 0 && (
                    <Button
                      kind="quiet"
                      size="s"
                      icon={ArrowUp}
                      label={t('paymentLinks.settings.up', { name })}
                      onPress={() => move(means, -1)}
                    />
                  )}
                  {at < chosen.length - 1 && (
                    <Button
                      kind="quiet"
                      size="s"
                      icon={ArrowDown}
                      label={t('paymentLinks.settings.down', { name })}
                      onPress={() => move(means, 1)}
                    />
                  )}
                </>
              )}
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}
