import { checkBankAccount } from '#domain/bankAccount.ts'
import type { Day } from '#domain/day.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { cardBrands } from '#features/base/companies/means.ts'
import { bankChoices } from '#features/registers/suppliers/web/index.tsx'
import { detailsOfMeans, paymentDetails, type PaymentDetail } from '#domain/documents/paymentDetails.ts'
import type { EditedPayment } from './money.ts'
import '../documents.css'

interface Props {
  one: Omit<EditedPayment, 'key' | 'amountAgorot'>
  /** The paper's day, which a payment without a day of its own has. */
  day: Day
  said: (cell: string) => string | undefined
  change: (change: Partial<Omit<EditedPayment, 'key' | 'amountAgorot' | 'means'>>) => void
}

/**
 * The details of a payment by its method: of a cheque its bank, number and due date, of a card its last digits and
 * instalments. The labels mark those that are optional.
 */
export function PaymentDetails({ one, day, said, change }: Props) {
  const t = useWords()
  const tells = (detail: PaymentDetail) => paymentDetails[one.means][detail] !== undefined
  const need = (detail: PaymentDetail) =>
    paymentDetails[one.means][detail] === 'optional' ? { optional: true } : {}
  const isDoubtful =
    one.bank !== '' &&
    one.branch !== '' &&
    one.account.replace(/\D/g, '').length >= 4 &&
    checkBankAccount(Number(one.bank), one.branch, one.account) === 'suspicious'
  if (detailsOfMeans(one.means).length === 0) return null
  return (
    <>
      <div className="details" data-means={one.means}>
        {tells('date') && (
          <DayField
            label={t('documents.money.date')}
            name="paymentDate"
            value={one.date ?? day}
            onChange={(date) => change({ date: date === day ? null : date })}
            error={said('date')}
          />
        )}
        {tells('bank') && (
          <ChoiceField
            as="list"
            clearable
            label={t('documents.money.bank')}
            {...need('bank')}
            value={one.bank || null}
            onChange={(bank) => change({ bank: bank ?? '' })}
            choices={bankChoices(t)}
            error={said('bank')}
          />
        )}
        {tells('branch') && (
          <TextField
            ltr
            inputMode="numeric"
            label={t('documents.money.branch')}
            {...need('branch')}
            name="branch"
            max={4}
            value={one.branch}
            onChange={(branch) => change({ branch })}
            error={said('branch')}
          />
        )}
        {tells('account') && (
          <TextField
            ltr
            inputMode="numeric"
            label={t('documents.money.account')}
            {...need('account')}
            name="account"
            max={20}
            value={one.account}
            onChange={(account) => change({ account })}
            error={said('account')}
          />
        )}
        {tells('cardBrand') && (
          <ChoiceField
            as="list"
            clearable
            label={t('documents.money.cardBrand')}
            {...need('cardBrand')}
            value={one.cardBrand || null}
            onChange={(cardBrand) => change({ cardBrand: cardBrand ?? '' })}
            choices={cardBrands.map((value) => ({ value, label: t(`documents.money.brand.${value}`) }))}
          />
        )}
        {tells('cardLast4') && (
          <TextField
            ltr
            inputMode="numeric"
            label={t('documents.money.cardLast4')}
            {...need('cardLast4')}
            name="cardLast4"
            max={4}
            value={one.cardLast4}
            onChange={(cardLast4) => change({ cardLast4 })}
            error={said('cardLast4')}
          />
        )}
        {tells('instalments') && (
          <WholeField
            label={t('documents.money.instalments')}
            {...need('instalments')}
            placeholder="1"
            value={one.instalments}
            onChange={(instalments) => change({ instalments })}
            error={said('instalments')}
          />
        )}
        {tells('number') && (
          <TextField
            ltr
            label={t(one.means === 'cheque' ? 'documents.money.chequeNumber' : 'documents.money.voucher')}
            {...need('number')}
            name="number"
            max={30}
            value={one.number}
            onChange={(number) => change({ number })}
            error={said('number')}
          />
        )}
        {tells('dueDate') && (
          <DayField
            label={t('documents.money.dueDate')}
            name="dueDate"
            value={one.dueDate ?? day}
            onChange={(dueDate) => change({ dueDate: dueDate === day ? null : dueDate })}
            error={said('dueDate')}
          />
        )}
        {tells('reference') && (
          <TextField
            label={t('documents.money.reference')}
            {...need('reference')}
            name="reference"
            max={100}
            value={one.reference}
            onChange={(reference) => change({ reference })}
            error={said('reference')}
          />
        )}
      </div>
      {isDoubtful && (
        <div role="status">
          <Note tone="wait">{t('documents.money.accountDoubt')}</Note>
        </div>
      )}
    </>
  )
}
