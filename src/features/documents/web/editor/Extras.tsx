import { Plus, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { LanguageCode } from '../../../../domain/documents/kinds.ts'
import { ChoiceField } from '../../../../kit/web/fields/ChoiceField.tsx'
import { MoneyField, PercentField } from '../../../../kit/web/fields/NumberFields.tsx'
import { CurrencyField, LanguageField } from '../../../../kit/web/fields/SmallChoices.tsx'
import { LongText, TextField } from '../../../../kit/web/fields/TextField.tsx'
import { Button } from '../../../../kit/web/parts/Button.tsx'
import { Chip } from '../../../../kit/web/parts/Status.tsx'
import { Segmented } from '../../../../kit/web/parts/Views.tsx'
import { useWords } from '../../../../kit/web/words.tsx'
import type { Change, Edited, Refusals } from './model.ts'

export const extras = ['discount', 'notes', 'notesBelow', 'notesInternal', 'orderNumber', 'currency', 'language', 'rounding'] as const
export type Extra = (typeof extras)[number]

/** Whether a rare thing is in use already. */
const isUsed = (edited: Edited, extra: Extra): boolean => {
  switch (extra) {
    case 'discount':
      return edited.discount !== null
    case 'currency':
      return edited.currency !== 'ILS'
    case 'language':
      return edited.language !== null && edited.language !== edited.customer?.language
    case 'rounding':
      return edited.rounding !== null
    default:
      return edited[extra] !== ''
  }
}

const emptied: Record<Extra, Partial<Edited>> = {
  discount: { discount: null },
  notes: { notes: '' },
  notesBelow: { notesBelow: '' },
  notesInternal: { notesInternal: '' },
  orderNumber: { orderNumber: '' },
  currency: { currency: 'ILS', rate: null },
  language: { language: null },
  rounding: { rounding: null },
}

export interface ExtrasProps {
  edited: Edited
  put: (change: Extract<Change, { do: 'put' }>['change']) => void
  refusals: Refusals['fields']
  languageNow: LanguageCode
  roundingNow: 'none' | 'whole' | 'half'
}

/** Rare things are chips that add themselves: none of them stands in the way of an ordinary invoice. */
export function useExtras(edited: Edited) {
  const [open, setOpen] = useState<ReadonlySet<Extra>>(() => new Set(extras.filter((extra) => isUsed(edited, extra))))
  const isOpen = (extra: Extra) => open.has(extra) || isUsed(edited, extra)
  return {
    isOpen,
    open: (extra: Extra) => setOpen((before) => new Set(before).add(extra)),
    close: (extra: Extra) =>
      setOpen((before) => {
        const next = new Set(before)
        next.delete(extra)
        return next
      }),
  }
}

export type OpenExtras = ReturnType<typeof useExtras>

export function ExtraChips({ edited, extras: held }: { edited: Edited; extras: OpenExtras }) {
  const t = useWords()
  const left = extras.filter((extra) => !held.isOpen(extra))
  void edited
  return (
    <div className="doc-chips" role="group" aria-label={t('documents.editor.extras')}>
      {left.map((extra) => (
        <Chip key={extra} icon={Plus} onPress={() => held.open(extra)}>
          {t(`documents.editor.extra.${extra}`)}
        </Chip>
      ))}
    </div>
  )
}

export function ExtraFields({ edited, put, refusals, extras: held, languageNow, roundingNow }: ExtrasProps & { extras: OpenExtras }) {
  const t = useWords()
  const shown = extras.filter(held.isOpen)
  if (shown.length === 0) return null
  const said = (name: string) => (refusals[name] ? t(`errors.${refusals[name].code}`, refusals[name].params) : undefined)
  const label = (extra: Extra) => t(`documents.editor.extra.${extra}`)
  const fields: Record<Extra, ReactNode> = {
    discount: <DiscountField edited={edited} put={put} error={said('discount')} label={label('discount')} />,
    notes: (
      <LongText
        label={label('notes')}
        rows={2}
        max={4000}
        value={edited.notes}
        onChange={(notes) => put({ notes })}
        error={said('notes')}
        autoFocus={edited.notes === ''}
      />
    ),
    notesBelow: (
      <LongText
        label={label('notesBelow')}
        rows={2}
        max={4000}
        value={edited.notesBelow}
        onChange={(notesBelow) => put({ notesBelow })}
        error={said('notesBelow')}
        autoFocus={edited.notesBelow === ''}
      />
    ),
    notesInternal: (
      <LongText
        label={label('notesInternal')}
        hint={t('documents.editor.internalHint')}
        rows={2}
        max={4000}
        value={edited.notesInternal}
        onChange={(notesInternal) => put({ notesInternal })}
        autoFocus={edited.notesInternal === ''}
      />
    ),
    orderNumber: (
      <TextField
        label={label('orderNumber')}
        value={edited.orderNumber}
        onChange={(orderNumber) => put({ orderNumber })}
        max={40}
        error={said('orderNumber')}
        autoFocus={edited.orderNumber === ''}
      />
    ),
    currency: (
      <div className="doc-pair">
        <CurrencyField
          label={t('documents.fields.currency')}
          value={edited.currency}
          onChange={(currency) => put({ currency: currency ?? 'ILS', ...(currency === 'ILS' ? { rate: null } : {}) })}
          autoFocus={edited.currency === 'ILS'}
        />
        {edited.currency !== 'ILS' && (
          <TextField
            label={t('documents.editor.rate')}
            ltr
            inputMode="decimal"
            value={edited.rate ?? ''}
            onChange={(rate) => put({ rate: rate.trim() === '' ? null : rate.trim().replace(',', '.') })}
            error={said('rate')}
            hint={t('documents.editor.rateHint', { currency: edited.currency })}
          />
        )}
      </div>
    ),
    language: <LanguageField label={label('language')} value={languageNow} onChange={(language) => put({ language })} />,
    rounding: (
      <ChoiceField
        label={label('rounding')}
        value={edited.rounding ?? roundingNow}
        onChange={(rounding) => put({ rounding })}
        choices={(['none', 'whole', 'half'] as const).map((value) => ({ value, label: t(`companies.rounding.${value}`) }))}
      />
    ),
  }
  return (
    <div className="doc-extra-fields">
      {shown.map((extra) => (
        <div key={extra} className="doc-extra">
          <div className="grow">{fields[extra]}</div>
          <Button
            kind="quiet"
            size="s"
            icon={X}
            label={t('documents.editor.removeExtra', { name: label(extra) })}
            onPress={() => {
              put(emptied[extra])
              held.close(extra)
            }}
          />
        </div>
      ))}
    </div>
  )
}

function DiscountField({ edited, put, error, label }: Pick<ExtrasProps, 'edited' | 'put'> & { error: string | undefined; label: string }) {
  const t = useWords()
  const [kind, setKind] = useState<'percent' | 'sum'>(edited.discount && 'agorot' in edited.discount ? 'sum' : 'percent')
  return (
    <div className="doc-discount">
      {kind === 'percent' ? (
        <PercentField
          label={label}
          value={edited.discount && 'basisPoints' in edited.discount ? edited.discount.basisPoints : null}
          onChange={(basisPoints) =>
            put({ discount: basisPoints === null ? null : { basisPoints: Math.max(0, Math.min(10_000, basisPoints)) } })
          }
          error={error}
          autoFocus={edited.discount === null}
        />
      ) : (
        <MoneyField
          label={label}
          currency={edited.currency}
          value={edited.discount && 'agorot' in edited.discount ? edited.discount.agorot : null}
          onChange={(agorot) => put({ discount: agorot === null ? null : { agorot: Math.max(0, agorot) } })}
          error={error}
          autoFocus
        />
      )}
      <Segmented
        label={t('documents.editor.discountKind')}
        value={kind}
        onChange={(next) => {
          setKind(next)
          put({ discount: null })
        }}
        options={[
          { key: 'percent', label: '%' },
          { key: 'sum', label: t('documents.editor.sum') },
        ]}
      />
    </div>
  )
}
