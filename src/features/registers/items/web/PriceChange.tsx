import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState, type FormEvent, type ReactNode } from 'react'
import { formatPrice } from '#domain/format.ts'
import { priceRoundings, type PriceRounding } from '#domain/prices/change.ts'
import { parseDecimal4, toText } from '#domain/quantity.ts'
import { failureText } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { PercentField, PriceField } from '#kit/web/fields/NumberFields.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Segmented } from '#kit/web/parts/Views.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import './items.css'

export interface WantedChange {
  change: { basisPoints: number } | { sum: string }
  rounding: PriceRounding
}

interface Changed {
  id: string
  name: string
  sku: string | null
  currency: string
  beforePrice: string
  afterPrice: string
}

export interface PriceChangeProps {
  title: string
  /** Tells one preview from another. */
  what: unknown
  preview: (
    wanted: WantedChange,
    signal: AbortSignal,
  ) => Promise<{ count: number; changed: number; rows: Changed[] }>
  /** Does it; the sheet closes when it is done. */
  apply: (wanted: WantedChange) => Promise<unknown>
  onClose: () => void
  /** Under the form: what was changed before. */
  children?: ReactNode
}

const price = (text: string) => <Num>{formatPrice(parseDecimal4(text) ?? 0)}</Num>

/**
 * Many prices at once: up or down, by a share or a sum, to a round end; every price is seen before and after.
 */
export function PriceChange({ title, what, preview, apply, onClose, children }: PriceChangeProps) {
  const t = useWords()
  const form = useId()
  const [way, setWay] = useState<'up' | 'down'>('up')
  const [kind, setKind] = useState<'percent' | 'sum'>('percent')
  const [points, setPoints] = useState<number | null>(null)
  const [sum, setSum] = useState<string | null>(null)
  const [rounding, setRounding] = useState<PriceRounding>('none')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const sign = way === 'up' ? 1 : -1
  const hasValue = kind === 'percent' ? points !== null : sum !== null
  const wanted: WantedChange = {
    change:
      kind === 'percent'
        ? { basisPoints: sign * (points ?? 0) }
        : { sum: toText(sign * (parseDecimal4(sum ?? '0') ?? 0)) },
    rounding,
  }
  const asked = useRested(JSON.stringify(wanted))
  const { data, error, isFetching } = useQuery({
    queryKey: ['priceChange', what, asked],
    queryFn: ({ signal }) => preview(JSON.parse(asked) as WantedChange, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const nothing = !data || data.changed === 0
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || nothing) return
    setBusy(true)
    setFailure(undefined)
    try {
      await apply(wanted)
      onClose()
    } catch (e) {
      setFailure(e)
      setBusy(false)
    }
  }
  return (
    <SideSheet
      isOpen
      size="l"
      onClose={onClose}
      dirty={hasValue && !busy}
      title={title}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button kind="primary" type="submit" form={form} busy={busy} isDisabled={nothing || isFetching}>
            {t('items.priceChange.apply', { count: data?.changed ?? 0 })}
          </Button>
        </>
      }
    >
      <form id={form} className="grid gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {failure !== undefined && <Note tone="late">{failureText(t, failure)}</Note>}
        <div className="it-change">
          <Segmented
            label={t('items.priceChange.way')}
            value={way}
            onChange={setWay}
            options={[
              { key: 'up', label: t('items.priceChange.up') },
              { key: 'down', label: t('items.priceChange.down') },
            ]}
          />
          <Segmented
            label={t('items.priceChange.kind')}
            value={kind}
            onChange={setKind}
            options={[
              { key: 'percent', label: t('items.priceChange.percent') },
              { key: 'sum', label: t('items.priceChange.sum') },
            ]}
          />
        </div>
        <div className="it-pair">
          {kind === 'percent' ? (
            <PercentField
              label={t('items.priceChange.percent')}
              name="points"
              autoFocus
              value={points}
              onChange={(next) => setPoints(next === null ? null : Math.min(1_000_000, Math.abs(next)))}
            />
          ) : (
            <PriceField
              label={t('items.priceChange.sum')}
              name="sum"
              autoFocus
              value={sum}
              onChange={(next) => setSum(next === null ? null : next.replace('-', ''))}
            />
          )}
          <ChoiceField
            as="list"
            label={t('items.priceChange.rounding')}
            value={rounding}
            onChange={(next) => next && setRounding(next)}
            choices={priceRoundings.map((value) => ({
              value,
              label: t(`items.priceChange.roundings.${value}`),
            }))}
          />
        </div>
        <p className="hint text-13" role="status">
          {error
            ? failureText(t, error)
            : data
              ? t('items.priceChange.found', { count: data.count, changed: data.changed })
              : t('kit.combo.searching')}
        </p>
        {data && data.rows.length > 0 && (
          <div className="k-card it-preview" data-stale={isFetching ? '' : undefined}>
            <DataTable
              label={t('items.priceChange.preview')}
              density="dense"
              rows={data.rows}
              rowKey={(row) => row.id}
              columns={[
                {
                  key: 'name',
                  title: t('items.fields.name'),
                  cell: (row) => <span dir="auto">{row.name}</span>,
                  width: 'trim',
                  phone: 'title',
                },
                {
                  key: 'before',
                  title: t('items.priceChange.before'),
                  cell: (row) => price(row.beforePrice),
                  align: 'amount',
                  phone: 'line',
                },
                {
                  key: 'after',
                  title: t('items.priceChange.after'),
                  cell: (row) => price(row.afterPrice),
                  align: 'amount',
                  strong: true,
                  phone: 'amount',
                },
              ]}
            />
          </div>
        )}
        {data && data.changed > data.rows.length && (
          <p className="hint text-12">
            {t('items.priceChange.more', { count: data.changed - data.rows.length })}
          </p>
        )}
      </form>
      {children}
    </SideSheet>
  )
}

/** The value after the person has stopped typing for a moment. */
function useRested(value: string): string {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), 250)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
