import { Fragment, Suspense } from 'react'
import { Globe, Hash, Info, Percent, UserRound } from 'lucide-react'
import { formatMoney, formatPercent } from '#domain/format.ts'
import { languageNames } from '#kit/web/fields/SmallChoices.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Figures as Figs } from '#kit/web/fields/cells.tsx'
import { partsOf } from '#kit/web/screens/places.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { typeById } from '../../types/index.ts'
import type { Advice, Edited, Figures } from './model.ts'

/** Whether anybody is to pay by this paper: an offer or a note only says a sum. */
export const isDue = (type: number): boolean => {
  const found = typeById(type)
  return found !== undefined && (found.debt === 1 || found.asks === true || found.parts.includes('payments'))
}

/**
 * The totals under the lines, with the same right edge. They are calculated here as the server calculates them.
 */
export function Totals({
  edited,
  figures,
  hasVat,
}: {
  edited: Edited
  figures: Figures | undefined
  hasVat: boolean
}) {
  const t = useWords()
  const { lang } = useLanguage()
  if (!figures)
    return (
      <div className="doc-totals">
        <p className="k-msg" data-tone="late" role="alert">
          {t('documents.editor.sumTooLarge')}
        </p>
      </div>
    )
  const { totals, ils, vatRateBp } = figures
  const kinds = [totals.netTaxable !== 0, totals.netExempt !== 0, totals.netZero !== 0].filter(Boolean).length
  const rows: { key: string; label: React.ReactNode; amount: number }[] = [
    { key: 'subtotal', label: t('documents.editor.subtotal'), amount: totals.subtotal },
    ...(totals.discount !== 0
      ? [
          {
            key: 'discount',
            label: (
              <>
                {t('documents.editor.discount')}{' '}
                {edited.discount && 'basisPoints' in edited.discount && (
                  <bdi className="num text-accent-text font-medium">
                    {formatPercent(edited.discount.basisPoints, lang)}
                  </bdi>
                )}
              </>
            ),
            amount: -totals.discount,
          },
        ]
      : []),
    ...(hasVat && kinds > 1
      ? [
          ...(totals.netTaxable !== 0
            ? [{ key: 'taxable', label: t('documents.editor.taxable'), amount: totals.netTaxable }]
            : []),
          ...(totals.netExempt !== 0
            ? [{ key: 'exempt', label: t('documents.editor.exempt'), amount: totals.netExempt }]
            : []),
          ...(totals.netZero !== 0
            ? [{ key: 'zero', label: t('documents.editor.zero'), amount: totals.netZero }]
            : []),
        ]
      : hasVat && totals.net !== totals.subtotal
        ? [{ key: 'net', label: t('documents.editor.beforeVat'), amount: totals.net }]
        : []),
    ...(hasVat
      ? [
          {
            key: 'vat',
            label: (
              <>
                {t('documents.editor.vat')}{' '}
                <bdi className="num">
                  {formatPercent(totals.netTaxable === 0 && totals.netZero !== 0 ? 0 : vatRateBp, lang)}
                </bdi>
              </>
            ),
            amount: totals.vat,
          },
        ]
      : []),
    ...(totals.rounding !== 0
      ? [{ key: 'rounding', label: t('documents.editor.rounding'), amount: totals.rounding }]
      : []),
  ]
  return (
    <dl className="doc-totals" aria-live="off">
      {rows.map((row) => (
        <div key={row.key}>
          <dt>{row.label}</dt>
          <dd className="amount">
            <Figs text={formatMoney(row.amount)} />
          </dd>
        </div>
      ))}
      <div className="sum">
        <dt>{t(isDue(edited.type) ? 'documents.editor.toPay' : 'documents.editor.total')}</dt>
        <dd>
          <Money amount={totals.total} currency={edited.currency} />
        </dd>
      </div>
      {edited.currency !== 'ILS' && ils && (
        <div>
          <dt>{t('documents.editor.inShekels')}</dt>
          <dd>
            <Money amount={ils.total} />
          </dd>
        </div>
      )}
    </dl>
  )
}

const nothing = () => {}

/** Warnings before issuing, beside the totals and never in a dialog after. */
export function AdviceNotes({ advice, onCustomer }: { advice: readonly Advice[]; onCustomer: () => void }) {
  const t = useWords()
  return (
    <>
      {advice.map((one) =>
        one.kind === 'allocation' ? (
          <Fragment key={one.kind}>
            <Note icon={Hash}>
              <b>{t('documents.editor.allocation.title')}</b>{' '}
              <span className="sub">
                {t('documents.editor.allocation.text', {
                  sum: `₪${formatMoney(one.threshold).replace('.00', '')}`,
                })}
              </span>
            </Note>
            <Suspense fallback={null}>
              {partsOf('beforeAllocation').map((Part, i) => (
                <Part key={i} of="" refresh={nothing} />
              ))}
            </Suspense>
          </Fragment>
        ) : one.kind === 'blocked' ? (
          <Note key={one.kind} tone="late">
            <b>{t('documents.editor.blocked.title')}</b> <bdi className="sub">{one.reason}</bdi>
          </Note>
        ) : one.kind === 'creditLimit' ? (
          <Note key={one.kind} tone="wait">
            <b>{t('documents.editor.creditLimit.title')}</b>{' '}
            <span className="sub">
              {t('documents.editor.creditLimit.text', {
                after: `₪${formatMoney(one.after)}`,
                limit: `₪${formatMoney(one.limit)}`,
              })}
            </span>
          </Note>
        ) : one.kind === 'taxId' ? (
          <Note
            key={one.kind}
            icon={UserRound}
            tone="wait"
            action={
              <Button kind="quiet" size="s" onPress={onCustomer}>
                {t('documents.editor.taxIdMissing.action')}
              </Button>
            }
          >
            <b>{t('documents.editor.taxIdMissing.title')}</b>{' '}
            <span className="sub">{t('documents.editor.taxIdMissing.text')}</span>
          </Note>
        ) : one.kind === 'abroad' ? (
          <Note key={one.kind} icon={Globe}>
            {t('documents.editor.abroadNote')}{' '}
            {[
              one.language && languageNames[one.language],
              one.currency,
              one.zeroGround && t(`customers.zeroGround.${one.zeroGround}`),
            ]
              .filter((what) => what !== undefined)
              .map((what, i) => (
                <bdi key={what}>{i > 0 ? ` · ${what}` : what}</bdi>
              ))}
          </Note>
        ) : one.kind === 'zeroRate' ? (
          <Note key={one.kind} icon={Percent}>
            {t('documents.editor.zeroRateNote')}
          </Note>
        ) : (
          <Note key={one.kind} icon={Info} tone="wait">
            {t('documents.editor.negativeNote')}
          </Note>
        ),
      )}
    </>
  )
}
