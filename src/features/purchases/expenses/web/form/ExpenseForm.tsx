import { Ban, CheckCheck, Save, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { addDays, type Day, type Period } from '#domain/day.ts'
import { isSelfInvoice, paperNames, papers } from '#domain/vat/shares.ts'
import { formatMoney, formatPeriod } from '#domain/format.ts'
import { Link } from 'react-aria-components/Link'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { QuantityField } from '#kit/web/fields/NumberFields.tsx'
import { CurrencyField } from '#kit/web/fields/SmallChoices.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { FileDrop } from '#kit/web/parts/FileDrop.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Segmented } from '#kit/web/parts/Views.tsx'
import { useMedia } from '#kit/web/parts/useMedia.ts'
import { useKeys } from '#kit/web/parts/useKeys.ts'
import { go } from '#kit/web/routes/place.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { useVatPeriods } from '#features/base/companies/web/index.tsx'
import type { ExpenseAnswer } from '../../endpoints.ts'
import { means } from '../../expenses.ts'
import { throwAway } from '../actions.ts'
import { PaperView } from '../PaperView.tsx'
import { RejectDialog } from '../page/Dialogs.tsx'
import { ExpenseState } from '../state.tsx'
import { Lines } from './Lines.tsx'
import { worked, type Facts, type Form } from './model.ts'
import { Sums } from './Sums.tsx'
import { SupplierPick } from './SupplierPick.tsx'
import { useExpense } from './useExpense.ts'
import { Warnings } from './Warnings.tsx'
import '../expenses.css'

const pictures = 'image/jpeg,image/png,image/webp,application/pdf'

export interface ExpenseFormProps {
  start: Form
  facts: Facts
  /** The kept one that is written again. */
  expense?: ExpenseAnswer
}

/** The form of an expense: supplier, document, split, payment, with the picture and the totals beside it. */
export function ExpenseForm({ start, facts, expense }: ExpenseFormProps) {
  const t = useWords()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const [rejecting, setRejecting] = useState(false)
  const editing = useExpense(start, facts, expense?.id, (saved) => {
    banner.success(t(`expenses.saved.${saved.state}`))
    go(`/invoice/Expenses/all/${saved.id}`, { replace: true })
  })
  const { form, put, errors, busy } = editing
  const sums = worked(form, facts)
  const mayApprove = facts.mayApprove
  const isWaiting = expense?.state === 'waiting'
  const error = (path: string) => (errors[path] ? { error: errors[path] } : {})
  // Beside the form where there is room, else before its buttons: nobody saves totals unseen.
  const isWide = useMedia('(width >= 75rem)')
  const beside = (
    <aside className="ex-side" aria-label={t('expenses.form.beside')}>
      {editing.warnings.length > 0 && !editing.twinId && (
        <div className="ex-notes" role="status">
          <Warnings warnings={editing.warnings} />
        </div>
      )}
      {sums && !hides && (
        <Card title={t('expenses.form.sums')}>
          <Sums
            sums={sums}
            deductsVat={facts.deductsVat}
            currency={form.currency}
            isSelfInvoice={isSelfInvoice(form.paper)}
          />
        </Card>
      )}
      <PaperView
        files={form.files}
        {...(expense
          ? {}
          : { onRemove: (id) => put({ files: form.files.filter((file) => file.id !== id) }) })}
      />
      <FileDrop
        accept={pictures}
        multiple
        onFiles={(files) => void editing.addFiles(files)}
        label={t('expenses.form.addPaper')}
      >
        {t('expenses.form.addPaper')}
      </FileDrop>
    </aside>
  )
  useKeys({ 'mod+s': () => void editing.save(true), 'mod+Enter': () => void editing.save(false) })

  return (
    <>
      <PageHeader
        crumbs={[
          {
            label: t('expenses.title'),
            href: may('expenses.see') ? '/invoice/Expenses' : '/invoiceexp/Expenses',
          },
        ]}
        title={expense ? t('expenses.one') : t('expenses.new')}
        {...(expense
          ? {
              status: (
                <ExpenseState
                  of={{ state: expense.state, openAgorot: null, totalAgorot: null, dueDay: null }}
                />
              ),
              more: [
                {
                  key: 'drop',
                  label: t('expenses.actions.delete'),
                  icon: Trash2,
                  tone: 'danger' as const,
                  onPress: () =>
                    void throwAway(t, expense.id).then(
                      (gone) =>
                        gone && go(may('expenses.see') ? '/invoice/Expenses' : '/invoiceexp/Expenses'),
                    ),
                },
              ],
            }
          : {})}
      />
      <div className="ex-desk">
        <form
          className="ex-form"
          noValidate
          aria-label={t('expenses.one')}
          onSubmit={(event) => {
            event.preventDefault()
            void editing.save(false)
          }}
        >
          {expense?.state === 'rejected' && expense.reason && (
            <Note tone="late" icon={Ban}>
              {t('expenses.form.rejectedBecause')} <bdi>{expense.reason}</bdi>
            </Note>
          )}
          {editing.problem && (
            <Note
              tone="late"
              action={
                editing.twinId && (
                  <Link className="link" href={`/invoice/Expenses/all/${editing.twinId}`}>
                    {t('expenses.form.openTwin')}
                  </Link>
                )
              }
            >
              {editing.problem}
            </Note>
          )}
          <Card label={t('expenses.form.paper')}>
            <div className="ex-grid">
              <div className="wide grid gap-4">
                <SupplierPick
                  value={form.supplier}
                  onChange={(supplier) => put({ supplier })}
                  error={errors.supplierId ?? errors['supplier.name']}
                  taxIdError={errors['supplier.taxId']}
                  autoFocus={!expense}
                />
                {editing.rule && !expense && (
                  <span className="hint text-13">{t('expenses.form.byRule', { name: editing.rule })}</span>
                )}
                {editing.lastTotal !== null && !expense && !hides && (
                  <p className="hint text-12">
                    {t('expenses.form.lastTotal')} <Num>{formatMoney(editing.lastTotal)}</Num>
                  </p>
                )}
              </div>
              <div className="phone-wide">
                <ChoiceField
                  as="list"
                  label={t('expenses.fields.paper')}
                  name="paper"
                  value={form.paper}
                  onChange={(paper) => paper && put({ paper })}
                  choices={paperNames
                    .filter((paper) => facts.deductsVat || paper === form.paper || !isSelfInvoice(paper))
                    .map((paper) => ({ value: paper, label: t(`expenses.paper.${paper}`) }))}
                  {...(isSelfInvoice(form.paper) ? { hint: t('expenses.form.selfInvoiceHint') } : {})}
                  {...error('paper')}
                />
              </div>
              <TextField
                label={t(form.paper === 'import' ? 'expenses.form.importEntry' : 'expenses.form.number')}
                name="supplierNumber"
                ltr
                max={40}
                value={form.number}
                onChange={(number) => put({ number })}
                {...(errors.supplierNumber && !editing.twinId ? { error: errors.supplierNumber } : {})}
              />
              <DayField
                label={t('expenses.fields.day')}
                name="date"
                value={form.day}
                max={facts.today}
                onChange={(day) => day && put({ day })}
                {...error('date')}
              />
              {papers[form.paper].mayNeedAllocation && facts.deductsVat && (
                <div className="half phone-wide">
                  <TextField
                    label={t('expenses.fields.allocationNumber')}
                    name="allocationNumber"
                    ltr
                    inputMode="numeric"
                    optional
                    max={26}
                    value={form.allocation}
                    onChange={(allocation) => put({ allocation })}
                    {...error('allocationNumber')}
                  />
                </div>
              )}
              <div className="half phone-wide">
                <CurrencyField
                  label={t('expenses.fields.currency')}
                  name="currency"
                  value={form.currency}
                  onChange={(currency) => put({ currency: currency ?? 'ILS' })}
                  {...error('currency')}
                />
              </div>
              {form.currency !== 'ILS' && (
                <QuantityField
                  label={t('expenses.form.rate')}
                  name="rate"
                  value={form.rate || null}
                  onChange={(rate) => put({ rate: rate ?? '' })}
                  {...error('rate')}
                />
              )}
              <div className="wide">
                <Segmented
                  label={t('expenses.form.kind')}
                  value={form.isCredit ? 'credit' : 'bill'}
                  onChange={(kind) => put({ isCredit: kind === 'credit' })}
                  options={(['bill', 'credit'] as const).map((key) => ({
                    key,
                    label: t(`expenses.form.kinds.${key}`),
                  }))}
                />
              </div>
            </div>
          </Card>
          <Card title={t('expenses.form.lines')}>
            <Lines
              form={form}
              facts={facts}
              rateBp={editing.rateBp}
              weights={editing.weights}
              onChange={(lines) => put({ lines })}
              errors={errors}
            />
          </Card>
          <Card title={t('expenses.form.payment')}>
            <div className="ex-grid">
              <div className="wide">
                <ChoiceField
                  as="buttons"
                  label={t('expenses.fields.means')}
                  name="means"
                  value={form.means}
                  onChange={(next) => next && put({ means: next })}
                  choices={means.map((one) => ({ value: one, label: t(`expenses.means.${one}`) }))}
                  {...error('means')}
                />
              </div>
              {form.means === 'onCredit' ? (
                <DayField
                  label={t('expenses.fields.dueDay')}
                  name="dueDate"
                  optional
                  value={form.dueDay}
                  onChange={(dueDay) => put({ dueDay })}
                  {...error('dueDate')}
                />
              ) : (
                <DayField
                  label={t('expenses.form.paidDay')}
                  name="paidDate"
                  value={form.paidDay ?? form.day}
                  max={facts.today}
                  onChange={(paidDay) => put({ paidDay })}
                  {...error('paidDate')}
                />
              )}
              {facts.deductsVat && papers[form.paper].carriesVat && (
                <div className="half phone-wide">
                  <VatPeriodField
                    form={form}
                    facts={facts}
                    onChange={(vatDay) => put({ vatDay })}
                    {...error('vatDate')}
                  />
                </div>
              )}
              {facts.deductsVat && papers[form.paper].carriesVat && (
                <div className="wide">
                  <FlagField
                    label={t('expenses.form.claimsVat')}
                    value={form.claimsVat}
                    onChange={(claimsVat) => put({ claimsVat })}
                  />
                </div>
              )}
              <div className="wide">
                <TextField
                  label={t('expenses.fields.details')}
                  name="details"
                  optional
                  max={200}
                  value={form.details}
                  onChange={(details) => put({ details })}
                />
              </div>
              <div className="wide">
                <LongText
                  label={t('expenses.form.notes')}
                  name="notes"
                  optional
                  max={4000}
                  value={form.notes}
                  onChange={(notes) => put({ notes })}
                />
              </div>
            </div>
          </Card>
          {!isWide && beside}
          <div className="ex-bar">
            {isWaiting && mayApprove && (
              <span className="start">
                <Button kind="quiet" icon={Ban} onPress={() => setRejecting(true)}>
                  {t('expenses.actions.reject')}
                </Button>
              </span>
            )}
            <Button icon={Save} busy={busy === 'draft'} keys="Ctrl+S" onPress={() => void editing.save(true)}>
              {t('expenses.actions.saveDraft')}
            </Button>
            <Button kind="primary" type="submit" icon={CheckCheck} busy={busy === 'submit'} keys="Ctrl+Enter">
              {t(
                mayApprove
                  ? isWaiting
                    ? 'expenses.actions.approve'
                    : 'expenses.actions.book'
                  : 'expenses.actions.submit',
              )}
            </Button>
          </div>
        </form>
        {isWide && beside}
      </div>
      {rejecting && expense && <RejectDialog expense={expense} onClose={() => setRejecting(false)} />}
    </>
  )
}

/** In whose VAT period the input VAT is claimed: the paper's, or one of those after it within six months. */
function VatPeriodField({
  form,
  facts,
  onChange,
  error,
}: {
  form: Form
  facts: Facts
  onChange: (day: Day | null) => void
  error?: string
}) {
  const t = useWords()
  const periodOn = useVatPeriods()
  const offered = periodOn ? periodsSince(form.day, facts.today, periodOn) : []
  const chosen = form.vatDay && periodOn ? periodOn(form.vatDay).from : null
  return (
    <ChoiceField
      as="list"
      label={t('expenses.form.vatPeriod')}
      name="vatDate"
      value={chosen ?? 'auto'}
      onChange={(key) => onChange(offered.find((one) => one.key === key)?.day ?? null)}
      choices={[
        { value: 'auto', label: t('expenses.form.vatAuto') },
        ...offered.map((one) => ({ value: one.key, label: one.label })),
      ]}
      {...(error ? { error } : {})}
    />
  )
}

/**
 * The paper's VAT period and those after it until today's, each with the day in it on which the VAT would be
 * claimed.
 */
function periodsSince(
  day: Day,
  today: Day,
  periodOn: (day: Day) => Period,
): { key: string; day: Day; label: string }[] {
  const last = periodOn(today)
  const offered: { key: string; day: Day; label: string }[] = []
  for (
    let period = periodOn(day);
    period.from <= last.from && offered.length < 7;
    period = periodOn(addDays(period.to, 1))
  ) {
    // Within the last period it is today, which is open for sure.
    const stands = offered.length === 0 ? day : period.from === last.from ? today : period.from
    offered.push({ key: period.from, day: stands, label: formatPeriod(period) })
  }
  return offered
}
