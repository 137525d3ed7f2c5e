import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Day } from '#domain/day.ts'
import { labelOf } from '#domain/documents/kinds.ts'
import { formatDay, formatPeriod } from '#domain/format.ts'
import { call, CallFailure, failureText, queryClient, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { LongText } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { go } from '#kit/web/routes/place.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import type { DocumentAnswer } from '#features/sales/documents/endpoints.ts'
import { pagePath } from '#features/sales/documents/types/index.ts'
import { documentName } from '#features/sales/documents/web/index.tsx'
import { documentNoun } from '#features/sales/documents/web/nouns.ts'
import { planWriteOff, writeOffDebt } from '../endpoints.ts'
import { grounds, type Ground } from '../rules.ts'

/** Days in a refusal are said as people write them. */
const wordOf = (t: ReturnType<typeof useWords>, error: Error): string => {
  const [first] = error instanceof CallFailure ? error.errors : []
  const { day } = first?.params ?? {}
  return first && typeof day === 'string'
    ? t(`errors.${first.code}`, { ...first.params, day: formatDay(day) })
    : first
      ? t(`errors.${first.code}`, first.params)
      : failureText(t, error)
}

/** Writes off what is open on an invoice: why, what was done to collect it, and what it does to the VAT and the books. */
export function WriteOff({ document, onClose }: { document: DocumentAnswer; onClose: () => void }) {
  const t = useWords()
  const today = useToday()
  const [agorot, setAgorot] = useState<number | null>(null)
  const [date, setDate] = useState<Day>(today)
  const [ground, setGround] = useState<Ground | null>(null)
  const [steps, setSteps] = useState('')
  const [vatPaid, setVatPaid] = useState(false)
  const [wasPaused, setWasPaused] = useState(false)
  const [paused, setPaused] = useState<{ from: Day | null; to: Day | null }>({ from: null, to: null })
  const asked = {
    id: document.id,
    ...(agorot === null ? {} : { agorot }),
    ...(date === today ? {} : { date }),
    ...(wasPaused && paused.from && paused.to ? { pausedFrom: paused.from, pausedTo: paused.to } : {}),
  }
  const settled = useSettled(JSON.stringify(asked))
  const { data: plan, error } = useCall(planWriteOff, JSON.parse(settled) as typeof asked, {
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  })
  const asksVatPaid = document.totals.vatAgorot !== 0 && plan?.isByReceipts !== true
  const submit = async () => {
    const credit = await call(writeOffDebt, {
      ...asked,
      ground: ground as Ground,
      steps: steps.trim(),
      ...(asksVatPaid ? { vatPaid } : {}),
    })
    void queryClient.invalidateQueries()
    onClose()
    go(pagePath(credit.type, credit.id))
    banner.success(t('badDebts.done', { name: documentNoun(t, credit.type, credit.number) }), 10_000)
  }
  return (
    <FormDialog
      title={t('badDebts.title', {
        name: documentName(t, document.type, document.number, labelOf(document)),
      })}
      verb={t('badDebts.do')}
      isDisabled={error !== null}
      names={['agorot', 'date', 'ground', 'steps', 'vatPaid', 'pausedFrom', 'pausedTo']}
      onClose={onClose}
      onSubmit={submit}
    >
      {(refusal) => (
        <>
          <MoneyField
            label={t('badDebts.amount')}
            name="agorot"
            currency={document.currency}
            value={agorot ?? plan?.openAgorot ?? null}
            onChange={setAgorot}
            {...refusal('agorot', agorot)}
          />
          <ChoiceField
            as="list"
            label={t('badDebts.ground')}
            name="ground"
            value={ground}
            choices={grounds.map((value) => ({ value, label: t(`badDebts.grounds.${value}`) }))}
            onChange={setGround}
            {...refusal('ground', ground)}
          />
          <LongText
            label={t('badDebts.steps')}
            hint={t('badDebts.stepsHint')}
            name="steps"
            value={steps}
            onChange={setSteps}
            max={2000}
            {...refusal('steps', steps)}
          />
          <DayField
            label={t('badDebts.date')}
            name="date"
            value={date}
            onChange={(next) => setDate(next ?? today)}
            {...refusal('date', date)}
          />
          <FlagField
            label={t('badDebts.paused')}
            hint={t('badDebts.pausedHint')}
            name="paused"
            value={wasPaused}
            onChange={setWasPaused}
          />
          {wasPaused && (
            <div className="grid grid-cols-2 gap-3">
              <DayField
                label={t('badDebts.pausedFrom')}
                name="pausedFrom"
                value={paused.from}
                onChange={(from) => setPaused((before) => ({ ...before, from }))}
                {...refusal('pausedFrom', paused.from)}
              />
              <DayField
                label={t('badDebts.pausedTo')}
                name="pausedTo"
                value={paused.to}
                onChange={(to) => setPaused((before) => ({ ...before, to }))}
                {...refusal('pausedTo', paused.to)}
              />
            </div>
          )}
          {asksVatPaid && (
            <FlagField
              label={t('badDebts.vatPaid')}
              name="vatPaid"
              value={vatPaid}
              onChange={setVatPaid}
              {...refusal('vatPaid', vatPaid)}
            />
          )}
          <div aria-live="polite" className="grid gap-3">
            {error ? (
              <Note tone="late">{wordOf(t, error)}</Note>
            ) : (
              plan && (
                <div className="doc-running">
                  <dl>
                    <div>
                      <dt>{t('badDebts.open')}</dt>
                      <dd>
                        <Money amount={plan.openAgorot} currency={plan.currency} />
                      </dd>
                    </div>
                    <div>
                      <dt>{t('badDebts.expense')}</dt>
                      <dd>
                        <Money amount={plan.expenseAgorot} />
                      </dd>
                    </div>
                    <div>
                      <dt>{t('badDebts.vatBack', { period: formatPeriod(plan.vatPeriod) })}</dt>
                      <dd>
                        <Money amount={plan.vatBackAgorot} />
                      </dd>
                    </div>
                  </dl>
                </div>
              )
            )}
            {plan && !error && (
              <p className="hint">
                {plan.isByReceipts && <>{t('badDebts.byReceipts')} </>}
                {plan.window && (
                  <>
                    {t('badDebts.window', {
                      from: formatDay(plan.window.from),
                      to: formatDay(plan.window.to),
                    })}
                    <br />
                  </>
                )}
                {t('badDebts.notice')}
              </p>
            )}
          </div>
        </>
      )}
    </FormDialog>
  )
}

/** The value, once nobody has touched it for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), 400)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
