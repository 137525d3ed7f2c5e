import { useState } from 'react'
import type { Day } from '#domain/day.ts'
import { call, failureText, queryClient, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { go } from '#kit/web/routes/place.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import type { DocumentAnswer } from '#features/sales/documents/endpoints.ts'
import { pagePath } from '#features/sales/documents/types/index.ts'
import { documentName } from '#features/sales/documents/web/index.tsx'
import { documentNoun } from '#features/sales/documents/web/nouns.ts'
import { recoverDebt, standingOfDebt } from '../endpoints.ts'

/** Charges what was paid of a debt after it was written off. */
export function Recovery({ document, onClose }: { document: DocumentAnswer; onClose: () => void }) {
  const t = useWords()
  const today = useToday()
  const { data, error: failure } = useCall(standingOfDebt, { id: document.id })
  const [agorot, setAgorot] = useState<number | null>(null)
  const [date, setDate] = useState<Day>(today)
  const submit = async () => {
    const invoice = await call(recoverDebt, {
      id: document.id,
      ...(agorot === null ? {} : { agorot }),
      ...(date === today ? {} : { date }),
    })
    void queryClient.invalidateQueries()
    onClose()
    go(pagePath(invoice.type, invoice.id))
    banner.success(t('badDebts.recovered', { name: documentNoun(t, invoice.type, invoice.number) }), 10_000)
  }
  const sums = data && [
    ['badDebts.writtenOff', data.writtenOffAgorot] as const,
    ['badDebts.paidSince', data.recoveredAgorot] as const,
    ['badDebts.left', data.leftAgorot] as const,
  ]
  return (
    <FormDialog
      title={t('badDebts.recoverTitle')}
      {...(data && data.leftAgorot > 0 ? { verb: t('badDebts.recoverDo') } : {})}
      names={['agorot', 'date']}
      onClose={onClose}
      onSubmit={submit}
    >
      {(refusal) =>
        failure && !data ? (
          <Note tone="late">{failureText(t, failure)}</Note>
        ) : !data || !sums ? (
          <Skeleton lines={4} />
        ) : (
          <>
            <p className="sub">
              {t('badDebts.recoverText', {
                name: documentName(t, data.invoice.type, data.invoice.number),
              })}
            </p>
            <div className="doc-running">
              <dl>
                {sums.map(([word, amount]) => (
                  <div key={word}>
                    <dt>{t(word)}</dt>
                    <dd>
                      <Money amount={amount} currency={data.currency} />
                    </dd>
                  </div>
                ))}
              </dl>
            </div>
            {data.leftAgorot > 0 && (
              <>
                <MoneyField
                  label={t('badDebts.recoverAmount')}
                  name="agorot"
                  currency={data.currency}
                  value={agorot ?? data.leftAgorot}
                  onChange={setAgorot}
                  {...refusal('agorot', agorot)}
                />
                <DayField
                  label={t('badDebts.recoverDate')}
                  name="date"
                  value={date}
                  onChange={(next) => setDate(next ?? today)}
                  {...refusal('date', date)}
                />
              </>
            )}
          </>
        )
      }
    </FormDialog>
  )
}
